import { CategoryScale, Legend, LinearScale, LogarithmicScale, PointElement, Tooltip } from "chart.js";
import { PointWithErrorBar, ScatterWithErrorBarsController } from "chartjs-chart-error-bars";
import type { Part } from "./figure";
import type { Kind } from "./plot";
import { medians, pointLooks } from "./rows";

/** Draws medians on a logarithmic axis as points: it has no zero that a bar could begin at. */
export const dots: Kind<Part> = {
  parts: [
    CategoryScale,
    Legend,
    LinearScale,
    LogarithmicScale,
    PointElement,
    PointWithErrorBar,
    ScatterWithErrorBarsController,
    Tooltip,
  ],
  configure: (figure, _element, theme) => medians(figure, pointLooks(figure, theme), theme, "point"),
};

import { BarElement, CategoryScale, Legend, LinearScale, LogarithmicScale, Tooltip } from "chart.js";
import { BarWithErrorBar, BarWithErrorBarsController } from "chartjs-chart-error-bars";
import type { Part } from "./figure";
import type { Kind } from "./plot";
import { medians } from "./rows";
import type { Theme } from "./theme";
import type { ChartFigure } from "./view";

/** Draws a figure's medians as bars with intervals, and its single samples as dots. */
export const bars: Kind<Part> = {
  parts: [
    BarElement,
    BarWithErrorBar,
    BarWithErrorBarsController,
    CategoryScale,
    Legend,
    LinearScale,
    LogarithmicScale,
    Tooltip,
  ],
  configure: (figure, _element, theme) => medians(figure, looks(figure, theme), theme, "bar"),
};

function looks(figure: ChartFigure, theme: Theme): object {
  return {
    backgroundColor: figure.rows.map((row) => theme.series(row.slot)),
    maxBarThickness: 20,
    borderRadius: 2,
    minBarLength: 1,
    errorBarColor: theme.ink,
    errorBarWhiskerColor: theme.ink,
    errorBarLineWidth: 1.5,
    errorBarWhiskerLineWidth: 1.5,
    errorBarWhiskerRatio: 0.45,
  };
}

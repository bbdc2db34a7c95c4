import { CategoryScale, Legend, LinearScale, LogarithmicScale, PointElement, Tooltip } from "chart.js";
import { PointWithErrorBar, ScatterWithErrorBarsController } from "chartjs-chart-error-bars";
import { labelAxis, valueAxis } from "./axes";
import { baselineMark, endMarks } from "./marks";
import { type Part, wholeOf } from "./figure";
import type { Kind } from "./plot";
import { endRoom, pointLooks, rowOptions } from "./rows";
import { changesOf, points } from "./series";
import type { Theme } from "./theme";

/** Draws how far each group is from the baseline, in percent, with its interval. */
export const change: Kind<Part> = {
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
  configure,
};

function configure(figure: Part, _element: HTMLElement, theme: Theme): object {
  const changes = changesOf(figure);
  const held = changesOf(wholeOf(figure)).flatMap((bar) => (bar ? [bar.x, bar.xMin ?? bar.x, bar.xMax ?? bar.x] : []));
  // nothing falls by more than all of it, though steps of 200 would have the axis go on
  const isWide = Math.max(...held) > 100 && Math.min(...held) < 0;
  return {
    type: "scatterWithErrorBars",
    data: {
      labels: figure.rows.map((_, index) => String(index)),
      datasets: [
        {
          data: points(changes),
          ...pointLooks(figure, theme),
          radius: changes.map((bar) => (bar ? 5 : 0)),
        },
      ],
    },
    options: {
      ...rowOptions(figure, theme),
      layout: { padding: { right: endRoom(figure) } },
      scales: {
        x: {
          ...valueAxis({ ...figure, axis: "linear" }, [0, ...held], theme),
          ...(isWide ? { min: -100 } : {}),
        },
        y: labelAxis(figure.rows.map((row) => row.name), theme),
      },
    },
    plugins: [
      baselineMark(0, theme),
      endMarks(figure, { bars: changes, modes: [], dots: [], baseline: 0 }, theme),
    ],
  };
}

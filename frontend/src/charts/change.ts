import {
  CategoryScale,
    LinearScale,
  LogarithmicScale,
  PointElement,
  Tooltip,
} from "chart.js";
import { PointWithErrorBar, ScatterWithErrorBarsController } from "chartjs-chart-error-bars";
import { labelAxis, valueAxis } from "./axes";
import { endRoom } from "./bars";
import { baselineMark, endMarks } from "./marks";
import type { Kind } from "./plot";
import { type Bar, changesOf, points } from "./series";
import type { Theme } from "./theme";
import { tooltip } from "./tooltip";
import type { ChartFigure } from "./view";

/** Draws how far each group is from the baseline, in percent, with its interval. */
export const change: Kind<ChartFigure> = {
  parts: [
    CategoryScale,
    LinearScale,
    LogarithmicScale,
    PointElement,
    PointWithErrorBar,
    ScatterWithErrorBarsController,
    Tooltip,
  ],
  configure,
};

function configure(figure: ChartFigure, element: HTMLElement, theme: Theme): object {
  const changes = changesOf(figure);
  const held = changes.flatMap((bar) => (bar ? [bar.x, bar.xMin ?? bar.x, bar.xMax ?? bar.x] : []));
  return {
    type: "scatterWithErrorBars",
    data: {
      labels: figure.rows.map((_, index) => String(index)),
      datasets: [{ data: points(changes), ...looks(figure, changes, theme) }],
    },
    options: {
      animation: false,
      maintainAspectRatio: false,
      layout: { padding: { right: endRoom(figure) } },
      scales: {
        x: valueAxis({ ...figure, axis: "linear" }, [0, ...held], theme),
        y: labelAxis(figure.rows.map((row) => row.label), theme),
      },
      interaction: { mode: "nearest", axis: "y", intersect: false },
      plugins: {
        // lines on the same page bring legends in
        legend: false,
        tooltip: tooltip(figure, element, (item) => item.dataIndex),
      },
    },
    plugins: [
      baselineMark(0, theme),
      endMarks(figure, { bars: changes, modes: [], dots: [], baseline: 0 }, theme),
    ],
  };
}

function looks(figure: ChartFigure, changes: (Bar | null)[], theme: Theme): object {
  return {
    radius: changes.map((bar) => (bar ? 5 : 0)),
    backgroundColor: figure.rows.map((row) => theme.series(row.slot)),
    errorBarColor: theme.ink,
    errorBarWhiskerColor: theme.ink,
    errorBarLineWidth: 1.5,
    errorBarWhiskerLineWidth: 1.5,
    errorBarWhiskerSize: 10,
    errorBarWhiskerRatio: 0,
  };
}

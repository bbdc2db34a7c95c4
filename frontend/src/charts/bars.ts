import { BarElement, CategoryScale, LinearScale, LogarithmicScale, Tooltip } from "chart.js";
import { BarWithErrorBar, BarWithErrorBarsController } from "chartjs-chart-error-bars";
import { labelAxis, valueAxis } from "./axes";
import { lengthOf } from "./labels";
import { baselineMark, dotMarks, endMarks, modeMarks } from "./marks";
import { fillOf } from "./patterns";
import type { Kind } from "./plot";
import { extent, points, seriesOf } from "./series";
import type { Theme } from "./theme";
import { tooltip } from "./tooltip";
import type { ChartFigure } from "./view";

const BOLD_LETTER = 7.8;

/** Draws a figure's medians as bars with intervals, and its single samples as dots. */
export const bars: Kind<ChartFigure> = {
  parts: [
    BarElement,
    BarWithErrorBar,
    BarWithErrorBarsController,
    CategoryScale,
    LinearScale,
    LogarithmicScale,
    Tooltip,
  ],
  configure,
};

function configure(figure: ChartFigure, element: HTMLElement, theme: Theme): object {
  const series = seriesOf(figure);
  return {
    type: "barWithErrorBars",
    data: {
      labels: figure.rows.map((_, index) => String(index)),
      datasets: [{ data: points(series.bars), ...looks(figure, theme) }],
    },
    options: {
      indexAxis: "y",
      animation: false,
      maintainAspectRatio: false,
      layout: { padding: { right: endRoom(figure) } },
      scales: {
        x: valueAxis(figure, extent(series), theme),
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
      baselineMark(series.baseline, theme),
      modeMarks(figure, series, theme),
      dotMarks(series, theme),
      endMarks(figure, series, theme),
    ],
  };
}

/** The room for the values at the ends of bars. */
export function endRoom(figure: ChartFigure): number {
  return Math.max(...figure.rows.map((row) => lengthOf(row.text))) * BOLD_LETTER + 14;
}

function looks(figure: ChartFigure, theme: Theme): object {
  return {
    backgroundColor: figure.rows.map((row) => fillOf(row.slot, theme.series(row.slot), theme.surface, theme.tiles)),
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

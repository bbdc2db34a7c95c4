import { BoxAndWiskers, BoxPlotController } from "@sgratzl/chartjs-chart-boxplot";
import { CategoryScale, LinearScale, LogarithmicScale, Tooltip } from "chart.js";
import { labelAxis, valueAxis } from "./axes";
import { baselineMark, dotMarks } from "./marks";
import type { Kind } from "./plot";
import { boxesOf, dotsBeside, extent, seriesOf } from "./series";
import type { Theme } from "./theme";
import { tooltip } from "./tooltip";
import type { ChartFigure } from "./view";

/** Draws quartiles and extremes of groups of five runs or more, and rings of doubted ones; fewer runs are dots alone. */
export const boxes: Kind<ChartFigure> = {
  parts: [BoxAndWiskers, BoxPlotController, CategoryScale, LinearScale, LogarithmicScale, Tooltip],
  configure,
};

function configure(figure: ChartFigure, element: HTMLElement, theme: Theme): object {
  const boxes = boxesOf(figure);
  const whole = seriesOf({ ...figure, percent: false });
  const series = dotsBeside(boxes, whole);
  const held = extent(whole);
  return {
    type: "boxplot",
    data: {
      labels: figure.rows.map((_, index) => String(index)),
      datasets: [{ data: boxes, ...looks(figure, theme) }],
    },
    options: {
      indexAxis: "y",
      animation: false,
      maintainAspectRatio: false,
      scales: {
        x: {
          ...valueAxis(figure, held, theme),
          beginAtZero: false,
          suggestedMin: Math.min(...held),
          grace: "5%",
        },
        y: labelAxis(figure.rows.map((row) => row.label), theme),
      },
      interaction: { mode: "nearest", axis: "y", intersect: false },
      plugins: {
        // lines on the same page bring legends in
        legend: false,
        tooltip: tooltip(figure, element, (item) => item.dataIndex),
      },
    },
    plugins: [baselineMark(series.baseline, theme), dotMarks(series, theme)],
  };
}

function looks(figure: ChartFigure, theme: Theme): object {
  const colours = figure.rows.map((row) => theme.series(row.slot));
  return {
    backgroundColor: colours,
    borderColor: theme.ink,
    medianColor: theme.surface,
    borderWidth: 1.25,
    maxBarThickness: 20,
    itemRadius: 0,
    outlierRadius: 0,
    meanRadius: 0,
  };
}

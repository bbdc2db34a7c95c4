import { BoxAndWiskers, BoxPlotController } from "@sgratzl/chartjs-chart-boxplot";
import { CategoryScale, Legend, LinearScale, LogarithmicScale, Tooltip } from "chart.js";
import { labelAxis, valueAxis } from "./axes";
import { baselineMark, dotMarks } from "./marks";
import { type Part, wholeOf } from "./figure";
import type { Kind } from "./plot";
import { isBaseline, rowOptions } from "./rows";
import { boxesOf, dotsBeside, extent, seriesOf } from "./series";
import type { Theme } from "./theme";
import type { ChartFigure } from "./view";

/** Draws quartiles and extremes of groups of five runs or more, and rings of doubted ones; fewer runs are dots alone. */
export const boxes: Kind<Part> = {
  parts: [
    BoxAndWiskers,
    BoxPlotController,
    CategoryScale,
    Legend,
    LinearScale,
    LogarithmicScale,
    Tooltip,
  ],
  configure,
};

function configure(figure: Part, _element: HTMLElement, theme: Theme): object {
  const boxes = boxesOf(figure);
  const series = dotsBeside(boxes, seriesOf(figure));
  const alone = figure.rows.map((row, index) => (boxes[index] ? null : theme.series(row.slot)));
  const held = extent(seriesOf(wholeOf(figure)));
  const [lowest, highest] = [Math.min(...held), Math.max(...held)];
  // a little room below the lowest would reach below zero, where nothing can be
  const isNearZero = lowest >= 0 && lowest < (highest - lowest) / 10;
  return {
    type: "boxplot",
    data: {
      labels: figure.rows.map((_, index) => String(index)),
      datasets: [{ data: boxes, ...looks(figure, theme) }],
    },
    options: {
      ...rowOptions(figure, theme),
      scales: {
        x: {
          ...valueAxis(figure, held, theme),
          beginAtZero: false,
          suggestedMin: lowest,
          ...(isNearZero && figure.axis === "linear" ? { min: 0 } : {}),
          grace: "5%",
        },
        y: labelAxis(figure.rows.map((row) => row.name), theme),
      },
    },
    plugins: [baselineMark(series.baseline, theme), dotMarks(series, theme, alone)],
  };
}

function looks(figure: ChartFigure, theme: Theme): object {
  const colours = figure.rows.map((row) => theme.series(row.slot));
  return {
    backgroundColor: colours,
    borderColor: theme.ink,
    medianColor: theme.surface,
    borderWidth: figure.rows.map((row) => (isBaseline(row, figure) ? 2.5 : 1.25)),
    maxBarThickness: 20,
    itemRadius: 0,
    outlierRadius: 0,
    meanRadius: 0,
  };
}

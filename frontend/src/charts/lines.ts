import {
  Chart,
  Legend,
  LinearScale,
  LineElement,
  LogarithmicScale,
  PointElement,
  Tooltip,
} from "chart.js";
import { LineWithErrorBarsController, PointWithErrorBar } from "chartjs-chart-error-bars";
import { tickText, titleOf, valueAxis } from "./axes";
import type { Figure } from "./figure";
import { SHAPES } from "./marks";
import { plot } from "./plot";
import { type Line, linesOf, spreads } from "./series";
import type { Theme } from "./theme";
import { tooltip } from "./tooltip";

Chart.register(
  Legend,
  LinearScale,
  LineElement,
  LineWithErrorBarsController,
  LogarithmicScale,
  PointElement,
  PointWithErrorBar,
  Tooltip,
);

/** Draws medians along a factor that is a number, a line for each value of the other factors. */
export function attach(element: HTMLElement): void {
  plot(element, configuration);
}

function configuration(figure: Figure, element: HTMLElement, theme: Theme): object {
  const lines = linesOf(figure);
  const points = lines.flatMap((line) => line.points);
  const held = points.flatMap((point) => [point.y, point.yMin ?? point.y, point.yMax ?? point.y]);
  return {
    type: "lineWithErrorBars",
    data: { datasets: lines.map((line, index) => dataset(line, index, theme)) },
    options: {
      animation: false,
      maintainAspectRatio: false,
      font: { family: theme.font },
      scales: {
        x: alongAxis(figure, points.map((point) => point.x), theme),
        y: valueAxis(figure, held, theme),
      },
      interaction: { mode: "nearest", intersect: false },
      plugins: {
        legend: {
          display: lines.length > 1,
          labels: { color: theme.ink, usePointStyle: true, boxHeight: 7 },
        },
        tooltip: tooltip(
          figure,
          element,
          (item) => lines[item.datasetIndex]?.points[item.dataIndex]?.row ?? 0,
        ),
      },
    },
  };
}

function dataset(line: Line, index: number, theme: Theme): object {
  return {
    label: line.label,
    data: line.points,
    borderColor: theme.series(line.slot),
    backgroundColor: theme.series(line.slot),
    borderWidth: 2,
    radius: 4,
    pointStyle: SHAPES[index % SHAPES.length],
    errorBarColor: theme.series(line.slot),
    errorBarWhiskerColor: theme.series(line.slot),
    errorBarLineWidth: 1.5,
    errorBarWhiskerLineWidth: 1.5,
    errorBarWhiskerSize: 8,
  };
}

/** Ticks stand where something was measured; doublings keep their distance on a log axis. */
function alongAxis(figure: Figure, measured: number[], theme: Theme): object {
  const places = [...new Set(measured)].sort((a, b) => a - b);
  const texts = new Map(
    figure.rows.map((row) => row.at[figure.along ?? 0]).map((at) => [at?.number, at?.text]),
  );
  return {
    type: spreads(places) ? "logarithmic" : "linear",
    title: titleOf(figure.along_title, theme),
    grid: { color: theme.line, drawTicks: false },
    afterBuildTicks(axis: { ticks: { value: number }[] }): void {
      axis.ticks = places.map((value) => ({ value }));
    },
    ticks: {
      color: theme.soft,
      callback: (value: number) => texts.get(value) ?? tickText(value),
    },
  };
}

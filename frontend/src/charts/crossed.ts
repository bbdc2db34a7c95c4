import { Legend, LinearScale, LineElement, LogarithmicScale, PointElement, Tooltip } from "chart.js";
import { LineWithErrorBarsController, PointWithErrorBar } from "chartjs-chart-error-bars";
import { titleOf, valueAxis } from "./axes";
import { legendOf } from "./legend";
import { endNames, lineEnds, roomFor } from "./line-ends";
import { dashesOf, SHAPES } from "./marks";
import type { Kind } from "./plot";
import type { Theme } from "./theme";
import { tooltipOf } from "./tooltip";
import type { CrossedChart, CrossedRow } from "./view";

/** How far apart lines stand at one place, in shares of its room: intervals stay told apart. */
const APART = 0.06;

/** Draws what one factor does at each level of another: lines that are not parallel depend on it. */
export const crossed: Kind<CrossedChart> = {
  parts: [
    Legend,
    LinearScale,
    LineElement,
    LineWithErrorBarsController,
    LogarithmicScale,
    PointElement,
    PointWithErrorBar,
    Tooltip,
  ],
  configure,
};

function configure(figure: CrossedChart, element: HTMLElement, theme: Theme): object {
  const { rows, places } = figure;
  const ends = endNames(rows.map((row) => row.label), element);
  const held = rows.flatMap((row) => row.points.flatMap((point) => [point.low, point.high]));
  return {
    type: "lineWithErrorBars",
    data: { datasets: rows.map((_row, index) => dataset(rows, index, theme)) },
    options: {
      animation: false,
      maintainAspectRatio: false,
      layout: { padding: { right: roomFor(ends) } },
      scales: {
        x: {
          type: "linear",
          min: -0.3,
          max: places.length - 0.7,
          title: titleOf(figure.along_title, theme),
          grid: { color: theme.line, drawTicks: false },
          afterBuildTicks(axis: { ticks: { value: number }[] }): void {
            axis.ticks = places.map((_, value) => ({ value }));
          },
          ticks: { color: theme.soft, callback: (value: number) => places[value] ?? "" },
        },
        y: valueAxis(figure, held, theme),
      },
      interaction: { mode: "nearest", intersect: false },
      plugins: {
        legend: legendOf(rows.length, theme, { ends }),
        tooltip: tooltipOf({
          title: ([item]) => (item ? (rows[item.datasetIndex]?.label ?? "") : ""),
          label: (item) => rows[item.datasetIndex]?.points[item.dataIndex]?.text ?? "",
        }),
      },
    },
    plugins: [lineEnds(ends, theme)],
  };
}

function dataset(rows: CrossedRow[], index: number, theme: Theme): object {
  const row = rows[index] as CrossedRow;
  const colour = theme.series(row.slot);
  const aside = APART * (index - (rows.length - 1) / 2);
  return {
    label: row.label,
    data: row.points.map((point) => ({
      x: point.place + aside,
      y: point.shown,
      yMin: point.low,
      yMax: point.high,
    })),
    borderColor: colour,
    backgroundColor: colour,
    borderWidth: 2,
    radius: 4,
    borderDash: dashesOf(rows.map((one) => one.slot), index),
    pointStyle: SHAPES[index % SHAPES.length],
    errorBarColor: colour,
    errorBarWhiskerColor: colour,
    errorBarLineWidth: 1.5,
    errorBarWhiskerLineWidth: 1.5,
    errorBarWhiskerSize: 8,
  };
}

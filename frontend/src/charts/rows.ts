import { labelAxis, titleOf, valueAxis } from "./axes";
import { type Part, wholeOf } from "./figure";
import { lengthOf } from "./labels";
import { baselineMark, dotMarks, endMarks, modeMarks, outlineMark } from "./marks";
import { extent, points, type Series, seriesOf } from "./series";
import type { Theme } from "./theme";
import { tooltip } from "./tooltip";
import type { ChartFigure } from "./view";

const BOLD_LETTER = 7.8;
const POINT = 6;

/** A row for each group: its median with the interval, and its single samples as dots. */
export function medians(figure: Part, looks: object, theme: Theme, shape: "bar" | "point"): object {
  const series = seriesOf(figure);
  return {
    type: shape === "bar" ? "barWithErrorBars" : "scatterWithErrorBars",
    data: {
      labels: figure.rows.map((_, index) => String(index)),
      datasets: [{ data: points(series.bars), ...looks }],
    },
    options: {
      ...rowOptions(figure, theme),
      layout: { padding: { right: endRoom(figure) } },
      scales: {
        x: valueAxis(figure, extent(seriesOf(wholeOf(figure))), theme),
        y: labelAxis(figure.rows.map((row) => row.name), theme),
      },
    },
    plugins: [
      baselineMark(series.baseline, theme),
      modeMarks(figure, series, theme),
      ...(shape === "bar" ? [outlineMark(figure.rows.findIndex((row) => isBaseline(row, figure)), theme)] : []),
      dotMarks(shape === "bar" ? series : withoutTwins(series), theme),
      endMarks(figure, series, theme, shape === "bar" ? 0 : POINT),
    ],
  };
}

/** A single sample is the point itself; only a ring in it says more. */
function withoutTwins(series: Series): Series {
  const dots = series.dots.map((own, row) => (own.length === 1 && !series.hollow?.[row]?.[0] ? [] : own));
  return { ...series, dots };
}

/** What all charts have whose groups are rows. */
export function rowOptions(figure: ChartFigure, theme: Theme): object {
  return {
    indexAxis: "y",
    animation: false,
    maintainAspectRatio: false,
    interaction: { mode: "nearest", axis: "y", intersect: false },
    plugins: {
      legend: coloursLegend(figure, theme),
      tooltip: tooltip(figure, (item) => item.dataIndex),
    },
  };
}

/** What the colours mean; none where there is one. */
function coloursLegend(figure: ChartFigure, theme: Theme): object {
  const swatches = figure.colours.map(({ text, slot }) => ({
    text,
    fillStyle: theme.series(slot),
    fontColor: theme.ink,
    lineWidth: 0,
  }));
  return {
    display: swatches.length > 0,
    align: "start",
    title: { ...titleOf(figure.colours_title, theme), position: "start" },
    labels: { boxWidth: 12, boxHeight: 12, generateLabels: () => swatches },
    // Chart.js would hide a data set
    onClick: () => undefined,
  };
}

/** Points with their intervals; that of the baseline has an outline. */
export function pointLooks(figure: ChartFigure, theme: Theme): object {
  return {
    radius: POINT,
    // one beside the axis is whole
    clip: false,
    backgroundColor: figure.rows.map((row) => theme.series(row.slot)),
    borderColor: theme.ink,
    borderWidth: figure.rows.map((row) => (isBaseline(row, figure) ? 2 : 0)),
    errorBarColor: theme.ink,
    errorBarWhiskerColor: theme.ink,
    errorBarLineWidth: 1.5,
    errorBarWhiskerLineWidth: 1.5,
    errorBarWhiskerSize: 10,
    errorBarWhiskerRatio: 0,
  };
}

export function isBaseline(row: { group: string }, figure: ChartFigure): boolean {
  return row.group === figure.baseline;
}

/** The room for the values at the ends of rows. */
export function endRoom(figure: Part): number {
  return Math.max(...wholeOf(figure).rows.map((row) => lengthOf(row.text))) * BOLD_LETTER + 14;
}

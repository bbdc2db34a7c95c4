import { Legend, LinearScale, LineElement } from "chart.js";
import { LogarithmicScale, PointElement, Tooltip } from "chart.js";
import { LineWithErrorBarsController, PointWithErrorBar } from "chartjs-chart-error-bars";
import { roomAround, tickText, titleOf, valueAxis } from "./axes";
import { type Part, wholeOf } from "./figure";
import { legendOf } from "./legend";
import { endNames, lineEnds, roomFor } from "./line-ends";
import { dashesOf, SHAPES } from "./marks";
import type { Kind } from "./plot";
import { type Line, linesOf, outermost } from "./series";
import type { Theme } from "./theme";
import { tooltip } from "./tooltip";
import type { ChartFigure } from "./view";

/** Draws medians along a factor that is a number, a line for each value of the other factors. */
export const lines: Kind<Part> = {
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

function configure(figure: Part, element: HTMLElement, theme: Theme): object {
  const lines = linesOf(figure);
  const below = figure.latency ? linesOf(figure.latency) : [];
  const all = linesOf(wholeOf(figure));
  const every = [...lines, ...below, ...modesOf(lines), ...modesOf(below)];
  const ends = endNames(lines.map((line) => line.label), element);
  return {
    type: "lineWithErrorBars",
    data: {
      datasets: [
        ...lines.map((line) => ({
          ...dataset(line, all, theme),
          ...enlarged(line, outermost(figure)),
          yAxisID: "y",
        })),
        ...below.map((line) => ({ ...dataset(line, all, theme), yAxisID: "below" })),
        ...modesOf(lines).map((line) => ({ ...apart(line, theme), yAxisID: "y" })),
        ...modesOf(below).map((line) => ({ ...apart(line, theme), yAxisID: "below" })),
      ],
    },
    options: {
      animation: false,
      maintainAspectRatio: false,
      layout: { padding: { right: roomFor(ends) } },
      scales: {
        x: alongAxis(wholeOf(figure), theme),
        ...axes(wholeOf(figure), theme),
      },
      interaction: { mode: "nearest", intersect: false },
      plugins: {
        legend: withoutTwins(legendOf(lines.length, theme, { ends }), lines.length),
        tooltip: tooltip(
          figure,
          (item) => every[item.datasetIndex]?.points[item.dataIndex]?.row ?? 0,
        ),
      },
    },
    plugins: [lineEnds(ends, theme)],
  };
}

/** The point furthest to the better side is larger. */
function enlarged(line: Line, row: number | null): object {
  return { radius: line.points.map((point) => (point.row === row ? 7 : 4)) };
}

/** One axis, or two above each other: then the lower one has two fifths of the height. */
function axes(figure: ChartFigure, theme: Theme): object {
  const own = valueAxis(figure, heldBy(linesOf(figure)), theme);
  if (!figure.latency) return { y: own };
  const latency = valueAxis(figure.latency, heldBy(linesOf(figure.latency)), theme);
  return {
    // the first of a stack lies lowest
    below: { ...latency, axis: "y", position: "left", stack: "plots", stackWeight: 2 },
    y: { ...own, stack: "plots", stackWeight: 3, offset: true },
  };
}

/** A line of the lower plot has the name of the one above it. */
function withoutTwins(legend: object, lines: number): object {
  const labels = "labels" in legend ? (legend.labels as object) : {};
  const filter = (item: { datasetIndex?: number }): boolean => (item.datasetIndex ?? 0) < lines;
  return { ...legend, labels: { ...labels, filter } };
}

/** Lines of what no line leads through: both modes of the groups that have two. */
function modesOf(lines: Line[]): Line[] {
  return lines.flatMap((line) => (line.modes.length ? [{ ...line, points: line.modes }] : []));
}

function apart(line: Line, theme: Theme): object {
  return { ...dataset(line, [], theme), showLine: false, pointStyle: "dash", radius: 8, borderWidth: 3 };
}

/** Every number that the axis of some lines must hold. */
export function heldBy(lines: Line[]): number[] {
  const points = lines.flatMap((line) => [...line.points, ...line.modes]);
  return points.flatMap((point) => [point.y, point.yMin ?? point.y, point.yMax ?? point.y]);
}

/** How a line and its points look: its shape and dashes, by its place among `all`, tell those of a colour apart. */
export function dataset(line: Line, all: Line[], theme: Theme): object {
  const place = Math.max(0, all.findIndex((one) => one.label === line.label));
  return {
    label: line.label,
    data: line.points,
    borderColor: theme.series(line.slot),
    backgroundColor: theme.series(line.slot),
    borderWidth: 2,
    radius: 4,
    borderDash: dashesOf(all.map((one) => one.slot), place),
    pointStyle: SHAPES[place % SHAPES.length],
    errorBarColor: theme.series(line.slot),
    errorBarWhiskerColor: theme.series(line.slot),
    errorBarLineWidth: 1.5,
    errorBarWhiskerLineWidth: 1.5,
    errorBarWhiskerSize: 8,
  };
}

/** Ticks stand where something was measured; doublings keep their distance on a log axis. */
function alongAxis(figure: ChartFigure, theme: Theme): object {
  const measured = linesOf(figure).flatMap((line) => [...line.points, ...line.modes].map((point) => point.x));
  const places = [...new Set(measured)].sort((a, b) => a - b);
  const texts = new Map(
    figure.rows.map((row) => row.at[figure.along ?? 0]).map((at) => [at?.number, at?.text]),
  );
  return {
    type: figure.along_axis === "log" ? "logarithmic" : "linear",
    title: titleOf(figure.along_title, theme),
    grid: { color: theme.line, drawTicks: false },
    ...roomAround(places, figure.along_axis),
    afterBuildTicks(axis: { ticks: { value: number }[] }): void {
      axis.ticks = places.map((value) => ({ value }));
    },
    ticks: {
      color: theme.soft,
      callback: (value: number) => texts.get(value) ?? tickText(value),
    },
  };
}

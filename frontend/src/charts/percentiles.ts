import { Legend, LinearScale, LineController, LineElement } from "chart.js";
import { LogarithmicScale, PointElement, Tooltip } from "chart.js";
import { roomAround, timeText, titleOf, valueAxis } from "./axes";
import { legendOf } from "./legend";
import { endNames, lineEnds, roomFor } from "./line-ends";
import { dashesOf, SHAPES } from "./marks";
import type { Kind } from "./plot";
import { placeOf, ticksOf } from "./probability";
import type { Theme } from "./theme";
import { tooltipOf, type Words } from "./tooltip";
import type { PercentileChart, PercentileRow } from "./view";

/** Of the words below a tick, with some room. */
const WORD = 52;

/** Draws percentiles on a log-probability axis, a line for each group. */
export const percentiles: Kind<PercentileChart> = {
  parts: [Legend, LinearScale, LineController, LineElement, LogarithmicScale, PointElement, Tooltip],
  configure,
};

function configure(figure: PercentileChart, element: HTMLElement, theme: Theme): object {
  const points = figure.rows.flatMap((curve) => curve.points);
  const ends = endNames(figure.rows.map((curve) => curve.label), element);
  return {
    type: "line",
    data: { datasets: figure.rows.map((_curve, index) => dataset(figure.rows, index, theme)) },
    options: {
      animation: false,
      maintainAspectRatio: false,
      layout: { padding: { right: roomFor(ends) } },
      scales: {
        x: probabilityAxis(figure.along_title, points.map((point) => point.percent), theme),
        y: latencyAxis(figure, points.map((point) => point.shown), theme),
      },
      interaction: { mode: "nearest", intersect: false },
      plugins: {
        legend: legendOf(figure.rows.length, theme, { ends }),
        tooltip: tooltipOf(words(figure)),
      },
    },
    plugins: [lineEnds(ends, theme)],
  };
}

/** Over decades each tick has the unit that suits it. */
function latencyAxis(figure: PercentileChart, held: number[], theme: Theme): object {
  if (figure.axis !== "log") return valueAxis(figure, held, theme);
  const text = (value: number): string => timeText(value, figure.axis_title);
  return valueAxis({ ...figure, axis_title: "" }, held, theme, text);
}

/** No shape of a colour comes twice before all did. */
function dataset(rows: PercentileRow[], index: number, theme: Theme): object {
  const curve = rows[index] as PercentileRow;
  return {
    label: curve.label,
    data: curve.points.map((point) => ({ x: placeOf(point.percent), y: point.shown })),
    borderColor: theme.series(curve.slot),
    backgroundColor: theme.series(curve.slot),
    borderWidth: 2,
    borderDash: dashesOf(rows.map((row) => row.slot), index),
    radius: 4,
    // one at the edge is whole
    clip: false,
    pointStyle: SHAPES[(index + Math.floor(index / SHAPES.length)) % SHAPES.length],
  };
}

function probabilityAxis(title: string, percents: number[], theme: Theme): object {
  const ticks = ticksOf(percents);
  const texts = new Map(ticks.map(({ value, percent }) => [value, percentText(percent)]));
  return {
    type: "linear",
    ...roomAround(percents.map(placeOf), "linear"),
    title: titleOf(title, theme),
    grid: { color: theme.line, drawTicks: false },
    afterBuildTicks(axis: { ticks: { value: number }[]; min: number; max: number; maxWidth: number }): void {
      const least = ((axis.max - axis.min) * WORD) / axis.maxWidth;
      axis.ticks = apart(ticks.map(({ value }) => value), least).map((value) => ({ value }));
    },
    ticks: {
      color: theme.soft,
      maxRotation: 0,
      autoSkip: false,
      callback: (value: number) => texts.get(value) ?? "",
    },
  };
}

/** Those that leave room for their words: the last one, which says most, and backwards from it. */
export function apart(places: number[], least: number): number[] {
  let next = Number.POSITIVE_INFINITY;
  return places
    .toReversed()
    .filter((place) => {
      if (next - place < least) return false;
      next = place;
      return true;
    })
    .toReversed();
}

function words(figure: PercentileChart): Words {
  return {
    title: ([item]) => (item ? (figure.rows[item.datasetIndex]?.label ?? "") : ""),
    label(item): string {
      const point = figure.rows[item.datasetIndex]?.points[item.dataIndex];
      return point ? `${percentText(point.percent)}: ${point.text} (n = ${point.n})` : "";
    },
  };
}

function percentText(percent: number): string {
  return `${percent.toLocaleString(document.documentElement.lang, { maximumFractionDigits: 6 })} %`;
}

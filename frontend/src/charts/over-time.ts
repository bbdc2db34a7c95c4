import { Legend, LinearScale, LineController, LineElement } from "chart.js";
import { LogarithmicScale, type Plugin, PointElement, Tooltip } from "chart.js";
import { textOf, tickText, titleOf, valueAxis } from "./axes";
import { clockTicks, momentText } from "./clock";
import { finerIn } from "./finer-stretches";
import { legendOf } from "./legend";
import { DASHES } from "./marks";
import type { Kind } from "./plot";
import type { Theme } from "./theme";
import { tooltipOf, type Words } from "./tooltip";
import type { OverTimeChart, OverTimeRow } from "./view";
import { type Range, zoomedAxis, zoomOptions, zoomPlugin } from "./zoom";

const FAINT = 0.16;
const AXIS = 64;

/** Draws runs over each other along the seconds since each began, or by the wall clock. */
export const overTime: Kind<OverTimeChart> = {
  parts: [Legend, LinearScale, LineController, LineElement, LogarithmicScale, PointElement, Tooltip],
  configure,
};

/** Figures with the finer stretches that were fetched since they were drawn first: in another theme they have it too. */
const figures = new WeakMap<HTMLElement, { figure: OverTimeChart; seen: ReturnType<typeof finerIn> }>();

function drawnIn(element: HTMLElement, given: OverTimeChart): { figure: OverTimeChart; seen: ReturnType<typeof finerIn> } {
  const known = figures.get(element);
  if (known) return known;
  const figure = given.by_wall ? inMilliseconds(given) : given;
  const first = { figure, seen: finerIn(figure, whole(figure)) };
  figures.set(element, first);
  return first;
}

function configure(given: OverTimeChart, element: HTMLElement, theme: Theme): object {
  const { figure, seen } = drawnIn(element, given);
  const held = figure.rows.flatMap((row) => row.points.flatMap(([, lowest, , highest]) => [lowest, highest]));
  const full = whole(figure);
  return {
    type: "line",
    data: { datasets: figure.rows.map((row) => dataset(row, theme)) },
    options: {
      animation: false,
      maintainAspectRatio: false,
      // points are in the order of time, as the chart wants them
      parsing: false,
      normalized: true,
      scales: {
        x: {
          type: "linear",
          ...zoomedAxis(element, full, (at) => alongText(figure, at), seen),
          title: titleOf(figure.along_title, theme),
          grid: { color: theme.line, drawTicks: false },
          ...(figure.by_wall ? clockTicks(theme.soft) : secondTicks(figure, theme)),
        },
        y: {
          ...valueAxis(figure, held, theme),
          ...(figure.most == null ? {} : { max: figure.most }),
          ...(figure.until == null ? {} : { afterFit }),
        },
      },
      interaction: { mode: "nearest", axis: "x", intersect: false },
      plugins: {
        legend: legendOf(figure.rows.length, theme, { style: "line" }),
        tooltip: tooltipOf(words(figure), ({ datasetIndex }) => [figure.rows[datasetIndex]?.run ?? []].flat()),
        ...(figure.until == null ? { zoom: zoomOptions(element, full, theme.line) } : {}),
      },
    },
    // those that share a clock stay in step
    plugins: figure.until == null ? [bands(figure, theme), zoomPlugin] : [bands(figure, theme)],
  };
}

/** Times as clocks of scripts count them. */
function inMilliseconds(figure: OverTimeChart): OverTimeChart {
  const rows = figure.rows.map((row) => ({
    ...row,
    points: row.points.map(([at, ...values]): [number, number, number, number] => [1000 * at, ...values]),
  }));
  return { ...figure, rows };
}

/** From the start of all, or of the first, to the end of the last or of the clock that figures share. */
function whole(figure: OverTimeChart): Range {
  const first = figure.rows.map((row) => row.points[0]?.[0] ?? 0);
  const last = figure.rows.map((row) => row.points.at(-1)?.[0] ?? 0);
  return { min: figure.by_wall ? Math.min(...first) : 0, max: figure.until ?? Math.max(...last) };
}

/** Where the axis has no title, its ticks have the unit. */
function secondTicks(figure: OverTimeChart, theme: Theme): object {
  const callback = (seconds: number, _: number, ticks: { value: number }[]): string => {
    const text = stepText(seconds, (ticks[1]?.value ?? 1) - (ticks[0]?.value ?? 0));
    return figure.along_title ? text : `${text} s`;
  };
  return { ticks: { color: theme.soft, maxRotation: 0, includeBounds: false, callback } };
}

/** A time on an axis of such steps: zoomed in, 29.905 and 29.910 are two. */
export function stepText(seconds: number, step: number): string {
  return step > 0 && step < 1 ? seconds.toFixed(Math.ceil(-Math.log10(step) - 1e-9)) : tickText(seconds);
}

function alongText(figure: OverTimeChart, at: number): string {
  return figure.by_wall ? momentText(at, document.documentElement.lang) : `${tickText(at)} s`;
}

/** As wide in each figure: those that share a clock begin at the same place. */
function afterFit(scale: { width: number }): void {
  scale.width = AXIS;
}

function dataset(row: OverTimeRow, theme: Theme): object {
  return {
    label: row.label,
    data: row.points.map(([x, , y]) => ({ x, y })),
    borderColor: theme.series(row.slot),
    backgroundColor: theme.series(row.slot),
    // lines of one group share its colour
    borderDash: DASHES[row.nth % DASHES.length],
    borderWidth: 1.75,
    // a line needs two
    radius: row.points.length < 2 ? 3 : 0,
    hoverRadius: 4,
    pointStyle: "line",
  };
}

/** From the lowest to the highest point of each stretch, behind the line of their means. */
function bands(figure: OverTimeChart, theme: Theme): Plugin {
  return {
    id: "bands",
    beforeDatasetsDraw(chart) {
      const { ctx, chartArea: area } = chart;
      const [across, down] = [chart.scales["x"], chart.scales["y"]];
      if (!across || !down) return;
      ctx.save();
      ctx.beginPath();
      ctx.rect(area.left, area.top, area.width, area.height);
      ctx.clip();
      ctx.globalAlpha = FAINT;
      for (const [index, row] of figure.rows.entries()) {
        if (!chart.isDatasetVisible(index)) continue;
        const top = row.points.map(([x, , , y]) => [x, y] as const);
        const floor = row.points.map(([x, y]) => [x, y] as const).reverse();
        ctx.fillStyle = theme.series(row.slot);
        ctx.beginPath();
        for (const [x, y] of [...top, ...floor]) {
          ctx.lineTo(across.getPixelForValue(x), down.getPixelForValue(y));
        }
        ctx.fill();
      }
      ctx.restore();
    },
  };
}

function words(figure: OverTimeChart): Words {
  return {
    title: ([item]) => (item ? (figure.rows[item.datasetIndex]?.label ?? "") : ""),
    label(item): string[] {
      const point = figure.rows[item.datasetIndex]?.points[item.dataIndex];
      if (!point) return [];
      const [lowest, mean, highest] = point.slice(1).map(textOf(figure.axis_title));
      // "µs, logarithmic" on such an axis
      const [unit] = figure.axis_title.split(/[,、]/);
      const range = lowest === highest ? "" : ` (${lowest} – ${highest})`;
      return [`${alongText(figure, point[0])}: ${mean} ${unit}${range}`];
    },
  };
}

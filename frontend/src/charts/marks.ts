import type { Chart, Plugin } from "chart.js";
import { wrapped } from "./labels";
import type { Series } from "./series";
import type { Theme } from "./theme";
import { type ChartFigure, SERIES } from "./view";

const GAP = 7;
const LETTER = 6.2;
const LINE = 13;
const DOT = 2.5;
const LARGE_DOT = 4.5;
/** A stroke's width and half its length. */
const MODE = 6;
const MODE_REACH = 10;
/** The height over which the runs of a point stand. */
const POINT_LANES = 20;
/** Where dots of one bar stand, in shares of its height: near values stay apart. */
const LANES = [-0.27, 0.27, -0.13, 0.13, 0.36, -0.36];

/** Shapes of points, so that lines are told apart without their colours. */
export const SHAPES = ["circle", "rect", "triangle", "rectRot", "star", "crossRot"];

/** Dashes of lines, where neither colours nor shapes tell them apart any more. */
export const DASHES = [[], [7, 3], [2, 2], [9, 3, 2, 3]];

/** The nth line of a colour has the nth pattern; `slots` are those of all lines. */
export function dashesOf(slots: number[], index: number): number[] {
  const colour = (slots[index] ?? 0) % SERIES;
  const nth = slots.slice(0, index).filter((slot) => slot % SERIES === colour).length;
  return DASHES[nth % DASHES.length] ?? [];
}

/** The line of the baseline through all bars. */
export function baselineMark(baseline: number | null, theme: Theme): Plugin {
  return {
    id: "baseline",
    beforeDatasetsDraw(chart) {
      if (baseline === null) return;
      const x = pixel(chart, "x", baseline);
      const { ctx, chartArea } = chart;
      ctx.save();
      ctx.strokeStyle = theme.soft;
      ctx.setLineDash([4, 4]);
      ctx.beginPath();
      ctx.moveTo(x, chartArea.top);
      ctx.lineTo(x, chartArea.bottom);
      ctx.stroke();
      ctx.restore();
    },
  };
}

/** An outline around the bar of the baseline; a border would clip, which is lost in an SVG. */
export function outlineMark(row: number, theme: Theme): Plugin {
  return {
    id: "outline",
    afterDatasetsDraw(chart) {
      const bar = chart.getDatasetMeta(0).data[row] as { x: number; base?: number } | undefined;
      if (bar?.base === undefined || !Number.isFinite(bar.x)) return;
      const { ctx } = chart;
      const height = heightOf(chart, row);
      ctx.save();
      ctx.strokeStyle = theme.ink;
      ctx.lineWidth = 2;
      ctx.strokeRect(bar.base, pixel(chart, "y", row) - height / 2, bar.x - bar.base, height);
      ctx.restore();
    },
  };
}

/** The single runs, each where it was measured: alone in the middle of its bar, several in lanes beside the interval.
 *
 * Of a row that nothing else is drawn of they are large, in its `colours`.
 */
export function dotMarks(series: Series, theme: Theme, colours: (string | null)[] = []): Plugin {
  return {
    id: "dots",
    afterDatasetsDraw(chart) {
      const { ctx } = chart;
      ctx.save();
      series.dots.forEach((dots, row) => {
        const middle = pixel(chart, "y", row);
        const colour = colours[row] ?? theme.ink;
        const radius = colours[row] ? LARGE_DOT : DOT;
        const height = dots.length > 1 ? heightOf(chart, row) : 0;
        dots.forEach((dot, nth) => {
          const lane = height * (LANES[nth % LANES.length] ?? 0);
          // a doubted one is a ring
          const hollow = series.hollow?.[row]?.[nth] ?? false;
          ctx.fillStyle = hollow ? theme.surface : colour;
          ctx.strokeStyle = hollow ? colour : theme.surface;
          ctx.beginPath();
          ctx.arc(pixel(chart, "x", dot), middle + lane, radius, 0, 2 * Math.PI);
          ctx.fill();
          ctx.stroke();
        });
      });
      ctx.restore();
    },
  };
}

/** Both modes of a group that has two, as strokes of its colour, and how far they are apart. */
export function modeMarks(figure: ChartFigure, series: Series, theme: Theme): Plugin {
  return {
    id: "modes",
    beforeDatasetsDraw(chart) {
      const { ctx } = chart;
      ctx.save();
      series.modes.forEach((modes, index) => {
        if (modes.length === 0) return;
        const y = pixel(chart, "y", index);
        const places = modes.map((mode) => pixel(chart, "x", mode));
        ctx.strokeStyle = theme.series(figure.rows[index]?.slot ?? 0);
        ctx.lineWidth = 1.5;
        ctx.setLineDash([2, 3]);
        line(ctx, Math.min(...places), y, Math.max(...places), y);
        ctx.lineWidth = MODE;
        ctx.setLineDash([]);
        for (const x of places) line(ctx, x, y - MODE_REACH, x, y + MODE_REACH);
      });
      ctx.restore();
    },
  };
}

function line(ctx: CanvasRenderingContext2D, ...[x, y, toX, toY]: number[]): void {
  ctx.beginPath();
  ctx.moveTo(x ?? 0, y ?? 0);
  ctx.lineTo(toX ?? 0, toY ?? 0);
  ctx.stroke();
}

function heightOf(chart: Chart, row: number): number {
  return (chart.getDatasetMeta(0).data[row] as { height?: number } | undefined)?.height ?? POINT_LANES;
}

function pixel(chart: Chart, axis: string, value: number): number {
  return chart.scales[axis]?.getPixelForValue(value) ?? 0;
}

/** Each value at the end of its bar, or `beyond` the middle of its point; where there is none, why. */
export function endMarks(figure: ChartFigure, series: Series, theme: Theme, beyond = 0): Plugin {
  return {
    id: "ends",
    afterDatasetsDraw(chart) {
      const { ctx } = chart;
      ctx.save();
      ctx.textBaseline = "middle";
      ctx.strokeStyle = theme.surface;
      ctx.lineWidth = 3;
      figure.rows.forEach((row, index) => {
        const y = pixel(chart, "y", index);
        const missing = series.bars[index] == null && !series.modes[index]?.length;
        ctx.font = `${missing ? "italic " : "600 "}12px ${theme.font}`;
        ctx.fillStyle = missing ? theme.soft : theme.ink;
        const x = endOf(chart, series, index) + GAP + beyond;
        const lines = missing ? wrapped(row.remark, (chart.width - x) / LETTER, 2) : [row.text];
        lines.forEach((text, nth) => {
          const at = y + LINE * (nth - (lines.length - 1) / 2);
          // the line of the baseline ends beside the text, not in it
          ctx.strokeText(text, x, at);
          ctx.fillText(text, x, at);
        });
      });
      ctx.restore();
    },
  };
}

/** The pixel right of a bar, its interval and its dots. */
function endOf(chart: Chart, series: Series, index: number): number {
  const bar = series.bars[index];
  const own = bar ? [bar.x, bar.xMax ?? bar.x] : (series.modes[index] ?? []);
  const values = own.length ? [...own, ...(series.dots[index] ?? [])] : [];
  const pixels = values.map((value) => pixel(chart, "x", value));
  return Math.max(chart.chartArea.left, ...pixels);
}

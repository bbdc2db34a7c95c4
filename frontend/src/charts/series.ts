import type { Figure, Interval, Row } from "./figure";

/** A bar and its interval, as on the axis. */
export interface Bar {
  x: number;
  xMin?: number;
  xMax?: number;
}

/** One run: where it stands, and the index of its row. */
export interface Dot {
  x: number;
  row: number;
}

/** What is drawn, in the unit of the axis: the shown one, or percent of the baseline. */
export interface Series {
  bars: (Bar | null)[];
  dots: Dot[];
  baseline: number | null;
}

/** Percent needs a baseline above zero; without one the figure stays in its own unit. */
export function seriesOf(figure: Figure): Series {
  const median = figure.rows.find((row) => row.group === figure.baseline)?.median ?? null;
  const percent = isPercent(figure);
  const factor = percent && median ? median / 100 : figure.shown.factor;
  return {
    bars: figure.rows.map((row) => (percent ? percentBar(row) : ownBar(row, factor))),
    dots: figure.rows.flatMap((row, index) =>
      row.values.map(({ value }) => ({ x: value / factor, row: index })),
    ),
    baseline: median === null ? null : median / factor,
  };
}

/** Whether the figure is drawn in percent: asked for, and there is a baseline to divide by. */
export function isPercent(figure: Figure): boolean {
  return figure.percent && figure.rows.some((row) => row.ratio !== null);
}

/** The power of ten strictly below the smallest positive value: where a log axis begins. */
export function decadeBelow(values: number[]): number {
  const smallest = Math.min(...values.filter((value) => value > 0));
  if (!Number.isFinite(smallest)) return 1;
  const power = 10 ** Math.floor(Math.log10(smallest));
  return power < smallest ? power : power / 10;
}

/** Every number that the axis must hold. */
export function extent(series: Series): number[] {
  const bars = series.bars.flatMap((bar) => (bar ? [bar.x, bar.xMin ?? bar.x, bar.xMax ?? bar.x] : []));
  return [...bars, ...series.dots.map((dot) => dot.x)];
}

function ownBar(row: Row, factor: number): Bar | null {
  return row.median === null ? null : bar(row.median / factor, row.interval, factor);
}

function percentBar(row: Row): Bar | null {
  return row.ratio === null ? null : bar(row.ratio * 100, row.ratio_interval, 0.01);
}

function bar(x: number, interval: Interval | null, factor: number): Bar {
  if (!interval) return { x };
  return { x, xMin: interval.low / factor, xMax: interval.high / factor };
}

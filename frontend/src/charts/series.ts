import { type Part, wholeOf } from "./figure";
import type { Interval, Plot, PlotRow } from "./view";

/** A bar and its interval, as on the axis. */
export interface Bar {
  x: number;
  xMin?: number;
  xMax?: number;
}

/**
 * What is drawn, in the unit of the axis: the shown one, or percent of the baseline; `dots` are each
 * row's samples. A row with two `modes` has no bar: no single number stands for both.
 */
export interface Series {
  bars: (Bar | null)[];
  modes: number[][];
  dots: number[][];
  /** Which of the dots are doubted; none where it is not given. */
  hollow?: boolean[][];
  baseline: number | null;
}

/** A figure, or a part of one: the baseline may stand in another part. */
type Parted = Plot & { whole?: Plot };

/** Percent needs a baseline above zero; without one the figure stays in its own unit. */
export function seriesOf(figure: Parted): Series {
  const percent = isPercent(figure);
  const factor = factorOf(figure);
  const median = medianOf(figure.baseline, percent ? everyRow(figure) : figure.rows);
  return {
    bars: figure.rows.map((row) => (percent ? percentBar(row) : ownBar(row, factor))),
    modes: figure.rows.map((row) => row.modes.map((mode) => mode / factor)),
    dots: figure.rows.map((row) => row.values.map((value) => value / factor)),
    hollow: figure.rows.map((row) => row.values.map((_, nth) => row.hollow.includes(nth))),
    baseline: median === null ? null : median / factor,
  };
}

/** Whether the figure is drawn in percent: asked for, and there is a baseline to divide by. */
export function isPercent(figure: Parted): boolean {
  return figure.percent && everyRow(figure).some((row) => row.ratio !== null);
}

/** What a value is divided by to stand on the axis. */
function factorOf(figure: Parted): number {
  const median = isPercent(figure) ? medianOf(figure.baseline, everyRow(figure)) : null;
  return median ? median / 100 : figure.shown.factor;
}

function everyRow(figure: Parted): PlotRow[] {
  return (figure.whole ?? figure).rows;
}

function medianOf(group: string | null, rows: PlotRow[]): number | null {
  return rows.find((row) => row.group === group)?.median ?? null;
}

/** The power of ten strictly below the smallest positive value: where a log axis begins. */
export function decadeBelow(values: number[]): number {
  const smallest = Math.min(...values.filter((value) => value > 0));
  if (!Number.isFinite(smallest)) return 1;
  const power = 10 ** Math.floor(Math.log10(smallest));
  return power < smallest ? power : power / 10;
}

/** Each group's distance from the baseline in percent; null where there is nothing to compare. */
export function changesOf(figure: Plot): (Bar | null)[] {
  return figure.rows.map((row) => {
    const bar = percentBar(row);
    if (!bar) return null;
    const change = (percent: number): number => percent - 100;
    if (bar.xMin === undefined || bar.xMax === undefined) return { x: change(bar.x) };
    return { x: change(bar.x), xMin: change(bar.xMin), xMax: change(bar.xMax) };
  });
}

/** Five numbers of a group, as the box plot's controller takes them. */
export interface Box {
  min: number;
  q1: number;
  median: number;
  q3: number;
  max: number;
  outliers: number[];
  items: number[];
}

const ENOUGH_FOR_A_BOX = 5;

/** A box for each group of five samples or more; null for others, and for two modes. */
export function boxesOf(figure: Parted): (Box | null)[] {
  const factor = factorOf(figure);
  const shown = (value: number | null): number => (value ?? 0) / factor;
  return figure.rows.map((row) =>
    row.n < ENOUGH_FOR_A_BOX || row.modes.length > 0
      ? null
      : {
          min: shown(row.low),
          q1: shown(row.lower_quartile),
          median: shown(row.median),
          q3: shown(row.upper_quartile),
          max: shown(row.high),
          outliers: [],
          items: [],
        },
  );
}

/** A box says what its dots would, but not which of them are doubted: those stay. */
export function dotsBeside(boxes: (Box | null)[], series: Series): Series {
  const hollow = series.hollow ?? [];
  const stays = (row: number, nth: number): boolean => !boxes[row] || (hollow[row]?.[nth] ?? false);
  return {
    ...series,
    dots: series.dots.map((dots, row) => dots.filter((_, nth) => stays(row, nth))),
    hollow: hollow.map((own, row) => own.filter((_, nth) => stays(row, nth))),
  };
}

/** A point of a line, and the index of its row. */
export interface Point {
  x: number;
  y: number;
  yMin?: number;
  yMax?: number;
  xMin?: number;
  xMax?: number;
  row: number;
}

/** One line: the groups that differ in nothing but the number along the axis; `modes` stand beside it. */
export interface Line {
  label: string;
  slot: number;
  points: Point[];
  modes: Point[];
}

/** Lines by the factors other than the one along the axis, each in the order of the axis. */
export function linesOf(figure: Plot): Line[] {
  const { bars, modes } = seriesOf(figure);
  const lines = new Map<string, Line>();
  figure.rows.forEach((row, index) => {
    const x = row.at[figure.along ?? 0]?.number;
    const bar = bars[index];
    const own = modes[index] ?? [];
    if (x == null || (!bar && own.length === 0)) return;
    const label = row.name || figure.title;
    const line = lines.get(label) ?? { label, slot: row.slot, points: [], modes: [] };
    lines.set(label, line);
    line.modes.push(...own.map((y) => ({ x, y, row: index })));
    if (!bar) return;
    const interval = bar.xMin === undefined ? {} : { yMin: bar.xMin, yMax: bar.xMax ?? bar.x };
    line.points.push({ x, y: bar.x, ...interval, row: index });
  });
  for (const line of lines.values()) line.points.sort((a, b) => a.x - b.x);
  return [...lines.values()];
}

/** Lines of latency over the rate, each in the order of the factor; both must be measured. */
export function againstOf(figure: Plot, latency: Plot): Line[] {
  const { bars } = seriesOf(figure);
  return linesOf(latency).map((line) => ({
    ...line,
    modes: [],
    points: line.points.flatMap((point) => {
      const rate = bars[point.row];
      if (!rate) return [];
      const interval = rate.xMin === undefined ? {} : { xMin: rate.xMin, xMax: rate.xMax ?? rate.x };
      return [{ ...point, x: rate.x, ...interval }];
    }),
  }));
}

/** A cell: its column and line as indexes, the row it shows, its share of the baseline. */
export interface Cell {
  x: string;
  y: string;
  row: number;
  share: number | null;
}

/** The first factor that a chart has down, the second across. */
export interface Cells {
  columns: string[];
  lines: string[];
  cells: Cell[];
}

/**
 * Without a baseline, shares are of the median of all medians: something must be the middle. Lines,
 * columns and middle are those of all parts.
 */
export function cellsOf(figure: Part): Cells {
  const whole = wholeOf(figure);
  const [down = 0, across = 1] = figure.drawn_factors;
  const lines = inOrder(whole.rows, down);
  const columns = inOrder(whole.rows, across);
  const middle = middleOf(whole.rows.flatMap((row) => row.median ?? []));
  const cells = figure.rows.map((row, index) => ({
    x: String(columns.indexOf(row.at[across]?.text ?? "")),
    y: String(lines.indexOf(row.at[down]?.text ?? "")),
    row: index,
    share: row.ratio ?? (hasMiddle(row) ? row.median / middle : null),
  }));
  return { columns, lines, cells };
}

/** The row furthest to the better side of all parts; null in the others, and among fewer than three. */
export function outermost(figure: Part): number | null {
  const known = wholeOf(figure).rows.flatMap((row) => (hasMiddle(row) ? row.median : []));
  if (figure.higher_is_better === null || known.length < 3) return null;
  const best = figure.higher_is_better ? Math.max(...known) : Math.min(...known);
  const place = figure.rows.findIndex((row) => hasMiddle(row) && row.median === best);
  return place < 0 ? null : place;
}

/** The values of a factor once each: numbers by their size, others as the rows have them. */
function inOrder(rows: PlotRow[], place: number): string[] {
  const numbers = new Map(rows.map((row) => [row.at[place]?.text ?? "", row.at[place]?.number ?? null]));
  const known = [...numbers];
  if (known.every(([, number]) => number !== null)) known.sort(([, a], [, b]) => (a ?? 0) - (b ?? 0));
  return known.map(([text]) => text);
}

function middleOf(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 1;
}

/** Every number that the axis must hold. */
export function extent(series: Series): number[] {
  const bars = series.bars.flatMap((bar) => (bar ? [bar.x, bar.xMin ?? bar.x, bar.xMax ?? bar.x] : []));
  return [...bars, ...series.modes.flat(), ...series.dots.flat()];
}

function ownBar(row: PlotRow, factor: number): Bar | null {
  return hasMiddle(row) ? bar(row.median / factor, row.interval, factor) : null;
}

/** Whether one number stands for the group. */
function hasMiddle(row: PlotRow): row is PlotRow & { median: number } {
  return row.median !== null && row.modes.length === 0;
}

function percentBar(row: PlotRow): Bar | null {
  return row.ratio === null ? null : bar(row.ratio * 100, row.ratio_interval, 0.01);
}

function bar(x: number, interval: Interval | null, factor: number): Bar {
  if (!interval) return { x };
  return { x, xMin: interval.low / factor, xMax: interval.high / factor };
}

/** Bars by their rows; the controller of error bars knows no missing one. */
export function points(bars: (Bar | null)[]): object[] {
  return bars.map((bar, index) => ({ ...(bar ?? { x: Number.NaN }), y: String(index) }));
}

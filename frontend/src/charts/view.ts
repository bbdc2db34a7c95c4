// Generated from benchdash/pages/charts.py by `make types`: change it there.

/**
 * What an interval is.
 */
export type Kind = "bootstrap" | "order_statistics" | "range" | "t";

/**
 * A whole chart: the words of its axes and colours, and its second plot.
 *
 * `at_titles` are the words for each place in `at`, `drawn_factors` the places that one chart
 * has: down and across a map. `along_title` are the words for the one that lines run along;
 * `rate_title` is the rate's axis where latency stands against it. `colours` are those of bars
 * and points that tell a factor's values apart; without any, all have one. `parts` are the
 * titles of the charts that it is drawn as, on one axis; empty where it is one.
 */
export interface ChartFigure {
  measure: string;
  title: string;
  shown: ShownUnit;
  higher_is_better: boolean | null;
  axis: "linear" | "log";
  along: number | null;
  rows: ChartRow[];
  baseline: string | null;
  percent: boolean;
  axis_title: string;
  at_titles: string[];
  drawn_factors: number[];
  along_title: string;
  along_axis: "linear" | "log";
  rate_title: string;
  colours_title: string;
  colours: Colour[];
  parts: string[];
  latency: Plot | null;
}
/**
 * A shown value is the stored one divided by `factor`: B/s by 1e6 are MB/s.
 */
export interface ShownUnit {
  name: string;
  factor: number;
}
/**
 * The same with its words: `text` stands at the end of its bar, `remark` where there is no bar.
 *
 * `readout` is what a pointer reads out of it, line by line.
 */
export interface ChartRow {
  group: string;
  label: string;
  slot: number;
  at: GroupValue[];
  n: number;
  median: number | null;
  low: number | null;
  high: number | null;
  lower_quartile: number | null;
  upper_quartile: number | null;
  interval: Interval | null;
  modes: number[];
  ratio: number | null;
  ratio_interval: Interval | null;
  values: number[];
  hollow: number[];
  runs: number[];
  name: string;
  part: number;
  text: string;
  remark: string;
  readout: string[];
}
/**
 * A group's value of a factor that is grouped by.
 */
export interface GroupValue {
  text: string;
  number: number | null;
  /**
   * With the factor's name where the text says little; empty elsewhere.
   */
  words?: string;
}
/**
 * From `low` to `high`, in the unit of the values.
 *
 * `coverage` is how often such an interval holds the true median; a range says nothing of that.
 */
export interface Interval {
  low: number;
  high: number;
  kind: Kind;
  coverage?: number | null;
}
/**
 * What a colour stands for.
 */
export interface Colour {
  text: string;
  slot: number;
}
/**
 * What an axis of values needs; `baseline` is the key of a group.
 */
export interface Plot {
  measure: string;
  title: string;
  shown: ShownUnit;
  higher_is_better: boolean | null;
  axis: "linear" | "log";
  along: number | null;
  rows: PlotRow[];
  baseline: string | null;
  percent: boolean;
  axis_title: string;
}
/**
 * One group: `name` tells it, or its line, from the others of its chart, the `part` of all.
 *
 * Numbers are those of its `Row`, without what no chart draws: each sample is written for each
 * figure of a page. `values` are of its samples, those at the places in `hollow` doubted; `runs` are
 * one more than have a link, where there are more.
 */
export interface PlotRow {
  group: string;
  label: string;
  slot: number;
  at: GroupValue[];
  n: number;
  median: number | null;
  low: number | null;
  high: number | null;
  lower_quartile: number | null;
  upper_quartile: number | null;
  interval: Interval | null;
  modes: number[];
  ratio: number | null;
  ratio_interval: Interval | null;
  values: number[];
  hollow: number[];
  runs: number[];
  name: string;
  part: number;
}
/**
 * Percentiles of several groups.
 */
export interface PercentileChart {
  measure: string;
  axis: "linear" | "log";
  axis_title: string;
  along_title: string;
  rows: PercentileRow[];
}
/**
 * The curve of one group.
 */
export interface PercentileRow {
  label: string;
  slot: number;
  n: number;
  points: PercentilePoint[];
}
/**
 * `shown` is in the unit of the axis, `text` the same in words.
 */
export interface PercentilePoint {
  percent: number;
  shown: number;
  text: string;
  n: number;
}
/**
 * Several lines over each other; values are in the unit of the axis.
 *
 * `by_wall`: by the wall clock, else from the start of each. Figures that stand below each other
 * have one clock, which ends at `until` seconds. The axis of values ends at `most` where more
 * cannot be. `finer` is the address of a span in finer stretches, in units of which the axis
 * has one for each `factor`; none where all points are drawn.
 */
export interface OverTimeChart {
  measure: string;
  axis: "linear" | "log";
  axis_title: string;
  along_title: string;
  by_wall: boolean;
  rows: OverTimeRow[];
  until?: number | null;
  most?: number | null;
  finer?: string | null;
  factor?: number;
}
/**
 * One trace, the `nth` of its colour; a point is its time, then lowest, mean and highest.
 *
 * Times are seconds: since the run began, or since 1970 where the chart is `by_wall`; then it `began`
 * at so many. `run` is where it leads to, none on the run's own page.
 */
export interface OverTimeRow {
  label: string;
  run: number | null;
  slot: number;
  nth: number;
  n: number;
  points: [number, number, number, number][];
  began?: number;
}
/**
 * One measure over months.
 */
export interface HistoryChart {
  measure: string;
  axis: "linear" | "log";
  axis_title: string;
  along_title: string;
  rows: HistoryRow[];
  marks: HistoryMark[];
}
/**
 * Samples that were set up alike, the oldest first.
 */
export interface HistoryRow {
  label: string;
  slot: number;
  n: number;
  points: HistoryPoint[];
}
/**
 * One sample: when (ms since 1970), its value in the unit of the axis, its line of the table.
 */
export interface HistoryPoint {
  at: number;
  shown: number;
  row: number;
  run: number;
  doubted: boolean;
}
/**
 * A change of the environment or of the tool, in words, where it was first measured.
 */
export interface HistoryMark {
  at: number;
  text: string;
}
/**
 * The levels of all factors of one measure, below each other.
 */
export interface EffectsChart {
  measure: string;
  axis: "linear" | "log";
  axis_title: string;
  rows: EffectRow[];
}
/**
 * One level of a factor, in percent of the mean of all levels; `slot` is the factor's colour.
 */
export interface EffectRow {
  label: string;
  factor: string;
  slot: number;
  n: number;
  shown: number;
  low: number;
  high: number;
  text: string;
}
/**
 * What one factor does at each level of another: parallel lines depend on nothing.
 */
export interface CrossedChart {
  measure: string;
  axis: "linear" | "log";
  axis_title: string;
  along_title: string;
  places: string[];
  rows: CrossedRow[];
}
/**
 * One level of the second factor.
 */
export interface CrossedRow {
  label: string;
  slot: number;
  n: number;
  points: CrossedPoint[];
}
/**
 * Where two levels met, in the unit of the axis; `place` counts along the first factor.
 */
export interface CrossedPoint {
  place: number;
  shown: number;
  low: number;
  high: number;
  text: string;
}
/**
 * One rate along a number, with the curves of laws.
 */
export interface ScalingChart {
  measure: string;
  axis: "linear" | "log";
  axis_title: string;
  along_title: string;
  along_axis: "linear" | "log";
  rows: ScalingRow[];
}
/**
 * One line: what was measured, and the curve of its law where one fits.
 */
export interface ScalingRow {
  label: string;
  slot: number;
  n: number;
  points: ScalingPoint[];
  curve: [number, number][];
  marks: ScalingMark[];
}
/**
 * What was measured at one place, in the unit of the axis, with its lowest and highest sample.
 */
export interface ScalingPoint {
  at: number;
  shown: number;
  low: number;
  high: number;
  text: string;
}
/**
 * A peak or a knee on the curve.
 */
export interface ScalingMark {
  at: number;
  shown: number;
  text: string;
}
/**
 * Groups by two measures; `axis` is that of `y`.
 */
export interface FrontChart {
  measure: string;
  axis: "linear" | "log";
  axis_title: string;
  along_title: string;
  along_axis: "linear" | "log";
  rows: FrontRow[];
}
/**
 * One group by two measures, in the units of the axes; `front` are those that none is ahead of.
 */
export interface FrontRow {
  label: string;
  slot: number;
  n: number;
  x: number;
  y: number;
  front: boolean;
  text: string;
}

export const SERIES = 10;
export const MOST_LINKED = 20;

// Generated from benchdash/pages/charts.py by `make types`: change it there.

/**
 * What an interval is.
 */
export type Kind = "bootstrap" | "order_statistics" | "range" | "t";
/**
 * The word of `against`.
 */
export type Word = "better" | "leans_better" | "leans_worse" | "no_difference" | "none" | "unclear" | "worse";
/**
 * What is said of the subject, held against the baseline.
 */
export type Word1 = "better" | "leans_better" | "leans_worse" | "no_difference" | "none" | "unclear" | "worse";
/**
 * The first of them; empty: none.
 */
export type Reason =
  | ""
  | "descriptive"
  | "equal"
  | "few"
  | "further_look"
  | "many"
  | "no_common_stratum"
  | "no_direction"
  | "noise"
  | "not_measured"
  | "not_over"
  | "not_positive"
  | "once"
  | "overlap"
  | "permutation"
  | "sequential"
  | "small"
  | "strata"
  | "thin_tail"
  | "trend"
  | "two_modes"
  | "unknown_order";
/**
 * What is said of the subject, held against the baseline.
 */
export type Word2 = "better" | "leans_better" | "leans_worse" | "no_difference" | "none" | "unclear" | "worse";
/**
 * The first thing that speaks against a firmer word; "" where nothing does.
 */
export type Reason1 =
  | ""
  | "descriptive"
  | "equal"
  | "few"
  | "further_look"
  | "many"
  | "no_common_stratum"
  | "no_direction"
  | "noise"
  | "not_measured"
  | "not_over"
  | "not_positive"
  | "once"
  | "overlap"
  | "permutation"
  | "sequential"
  | "small"
  | "strata"
  | "thin_tail"
  | "trend"
  | "two_modes"
  | "unknown_order";

/**
 * A whole chart: the words of its axes and colours, and its second plot.
 *
 * `at_titles` are the words for each place in `at`, `kept` those that one chart has: down and
 * across a map. `along_title` are the words for the one that lines run along; `rate_title` is the rate's axis where latency stands against it. `colours` are those of
 * bars and points that tell a factor's values apart; without any, all have one. `parts` are the
 * titles of the charts that it is drawn as, on one axis; empty where it is one.
 */
export interface ChartFigure {
  measure: string;
  title: string;
  family: "throughput" | "iops" | "metadata" | "latency" | "transactions" | "cpu" | "amount";
  unit: string;
  shown: ShownUnit;
  higher_is_better: boolean | null;
  axis: "linear" | "log";
  chart: "bars" | "boxes" | "change" | "heat" | "lines";
  /**
   * Which of a row's `at` is the number that lines run along.
   */
  along: number | null;
  /**
   * Those of a row's `at` that have a chart for each value, on one axis.
   */
  parted_by?: number[];
  /**
   * What it shows, in words.
   */
  sentence: string;
  /**
   * A primary measure of its tool: others are never firm.
   */
  primary: boolean;
  /**
   * Keys of the groups that may be best; none below five samples a side.
   */
  winners: string[];
  rows: ChartRow[];
  baseline: string | null;
  percent: boolean;
  axis_title: string;
  at_titles: string[];
  kept: number[];
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
  /**
   * Key of the group.
   */
  group: string;
  label: string;
  /**
   * Its colour.
   */
  slot: number;
  at: GroupValue[];
  n: number;
  /**
   * In the figure's unit.
   */
  median: number | null;
  mean: number | null;
  low: number | null;
  high: number | null;
  lower_quartile: number | null;
  upper_quartile: number | null;
  interval: Interval | null;
  /**
   * The medians of both where the samples have two modes.
   */
  modes: number[];
  /**
   * Operations above this percentile, in the sample that has fewest.
   */
  above: number | null;
  /**
   * To the baseline: the verdict's estimate, but for CPU not per byte.
   */
  ratio: number | null;
  /**
   * 95 %, from five samples on; none of CPU, which is judged by its cost.
   */
  ratio_interval: Interval | null;
  verdict: Word;
  /**
   * What is said against the baseline; null without one, and of itself.
   */
  against: Verdict | null;
  values: RunValue[];
  notes: Note[];
  /**
   * Of n, those that a doubt stands against.
   */
  doubted?: number;
  /**
   * Beside n, those that are left out for a doubt, as was asked for.
   */
  left_out?: number;
  /**
   * What its repeats say against each other.
   */
  repeats?: string[];
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
 * What may be said of a group against the baseline, and what speaks against a firmer word.
 *
 * All numbers are shares: 1 is as much as the baseline. `low` and `high` are there from five
 * samples on, `luck` below.
 */
export interface Verdict {
  word: Word1;
  reason: Reason;
  /**
   * The word as people read it.
   */
  text: string;
  /**
   * Word, numbers and reason, for people.
   */
  sentence: string;
  /**
   * Of geometric means, or of pairs where rounds were interleaved.
   */
  estimate: number | null;
  /**
   * The 95 % interval of the estimate.
   */
  low: number | null;
  high: number | null;
  /**
   * CPU is judged by what each byte or operation costs.
   */
  per: "" | "byte" | "operation";
  /**
   * How often luck alone sets few samples apart.
   */
  luck: number | null;
  /**
   * A difference up to this would have gone unnoticed.
   */
  unnoticed: number | null;
  /**
   * About so many would see `delta`.
   */
  more_rounds: number | null;
  /**
   * The smallest difference that matters.
   */
  delta: number;
  /**
   * That were allowed for, on the whole page.
   */
  comparisons: number;
  n: number;
  baseline_n: number;
  /**
   * Pairs that ran beside each other.
   */
  rounds: number | null;
}
/**
 * One run.
 */
export interface RunValue {
  run: number;
  /**
   * In the figure's unit.
   */
  value: number;
  /**
   * A doubt about it stands.
   */
  doubted?: boolean;
}
/**
 * What the tool said instead of a value, and of how many runs.
 */
export interface Note {
  note: string;
  runs: number;
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
  family: "throughput" | "iops" | "metadata" | "latency" | "transactions" | "cpu" | "amount";
  unit: string;
  shown: ShownUnit;
  higher_is_better: boolean | null;
  axis: "linear" | "log";
  chart: "bars" | "boxes" | "change" | "heat" | "lines";
  /**
   * Which of a row's `at` is the number that lines run along.
   */
  along: number | null;
  /**
   * Those of a row's `at` that have a chart for each value, on one axis.
   */
  parted_by?: number[];
  /**
   * What it shows, in words.
   */
  sentence: string;
  /**
   * A primary measure of its tool: others are never firm.
   */
  primary: boolean;
  /**
   * Keys of the groups that may be best; none below five samples a side.
   */
  winners: string[];
  rows: PlotRow[];
  baseline: string | null;
  percent: boolean;
  axis_title: string;
}
/**
 * One group: `name` tells it, or its line, from the others of its chart, the `part` of all.
 */
export interface PlotRow {
  /**
   * Key of the group.
   */
  group: string;
  label: string;
  /**
   * Its colour.
   */
  slot: number;
  at: GroupValue[];
  n: number;
  /**
   * In the figure's unit.
   */
  median: number | null;
  mean: number | null;
  low: number | null;
  high: number | null;
  lower_quartile: number | null;
  upper_quartile: number | null;
  interval: Interval | null;
  /**
   * The medians of both where the samples have two modes.
   */
  modes: number[];
  /**
   * Operations above this percentile, in the sample that has fewest.
   */
  above: number | null;
  /**
   * To the baseline: the verdict's estimate, but for CPU not per byte.
   */
  ratio: number | null;
  /**
   * 95 %, from five samples on; none of CPU, which is judged by its cost.
   */
  ratio_interval: Interval | null;
  verdict: Word2;
  /**
   * What is said against the baseline; null without one, and of itself.
   */
  against: Verdict | null;
  values: RunValue[];
  notes: Note[];
  /**
   * Of n, those that a doubt stands against.
   */
  doubted?: number;
  /**
   * Beside n, those that are left out for a doubt, as was asked for.
   */
  left_out?: number;
  /**
   * What its repeats say against each other.
   */
  repeats?: string[];
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
 * cannot be. `finer` is where a span of it is told in finer stretches, in units of which the axis
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

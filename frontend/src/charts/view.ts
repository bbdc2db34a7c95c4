// Generated from benchdash/pages/charts.py by `make types`: change it there.

/**
 * How an interval was computed.
 */
export type Kind = "bootstrap" | "range";

/**
 * A whole chart: the words of its axes and colours, and its second plot.
 *
 * `at_titles` are the words for each place in `at`, `along_title` for the one that lines run
 * along; `rate_title` is the rate's axis where latency stands against it.
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
   * What it shows, in words.
   */
  sentence: string;
  rows: ChartRow[];
  baseline: string | null;
  percent: boolean;
  axis_title: string;
  at_titles: string[];
  along_title: string;
  rate_title: string;
  colours_title: string;
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
 * One group: `text` stands at the end of its bar, `remark` where there is no bar.
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
   * To the baseline's median.
   */
  ratio: number | null;
  ratio_interval: Interval | null;
  verdict: "better" | "no_difference" | "unknown" | "worse";
  values: RunValue[];
  notes: Note[];
  text: string;
  remark: string;
}
/**
 * A group's value of a factor that is grouped by.
 */
export interface GroupValue {
  text: string;
  number: number | null;
}
/**
 * From `low` to `high`, in the unit of the values (a ratio has none).
 */
export interface Interval {
  low: number;
  high: number;
  kind: Kind;
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
}
/**
 * What the tool said instead of a value, and of how many runs.
 */
export interface Note {
  note: string;
  runs: number;
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
   * What it shows, in words.
   */
  sentence: string;
  rows: Row[];
  baseline: string | null;
  percent: boolean;
  axis_title: string;
}
/**
 * One group in one figure: its single values, what they amount to, and against the baseline.
 */
export interface Row {
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
   * To the baseline's median.
   */
  ratio: number | null;
  ratio_interval: Interval | null;
  verdict: "better" | "no_difference" | "unknown" | "worse";
  values: RunValue[];
  notes: Note[];
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
 * Several runs over each other; values are in the unit of the axis.
 */
export interface OverTimeChart {
  measure: string;
  axis: "linear" | "log";
  axis_title: string;
  along_title: string;
  rows: OverTimeRow[];
}
/**
 * One trace, the `nth` of its colour; a point is its seconds, then lowest, mean and highest.
 */
export interface OverTimeRow {
  label: string;
  run: number;
  slot: number;
  nth: number;
  n: number;
  points: [number, number, number, number][];
}

export const SERIES = 10;
export const ROUNDS = 4;

/** One figure as the page embeds it: the JSON of `GET /api/v1/compare/`, and how it is shown. */

export interface Interval {
  low: number;
  high: number;
  kind: "range" | "bootstrap";
}

/** A group's value of a factor that is grouped by. */
export interface At {
  text: string;
  number: number | null;
}

/** One group. `text` stands at the end of its bar, `remark` where there is no bar. */
export interface Row {
  group: string;
  label: string;
  slot: number;
  at: At[];
  n: number;
  median: number | null;
  low: number | null;
  high: number | null;
  lower_quartile: number | null;
  upper_quartile: number | null;
  interval: Interval | null;
  ratio: number | null;
  ratio_interval: Interval | null;
  values: { run: number; value: number }[];
  text: string;
  remark: string;
}

/** What every chart has: a name for its picture, the runs of each row, an axis of values. */
export interface Drawable {
  measure: string;
  axis: "linear" | "log";
  axis_title: string;
  rows: { n: number }[];
}

/** Values are in base units; shown ones are those divided by `shown.factor`. */
export interface Figure extends Drawable {
  title: string;
  /** The place in `at` of the number that lines run along, and its words. */
  along: number | null;
  along_title: string;
  /** The words for each place in `at`. */
  at_titles: string[];
  shown: { name: string; factor: number };
  baseline: string | null;
  percent: boolean;
  rows: Row[];
  /** The words of the rate's axis where latency stands against it. */
  rate_title: string;
  /** What the colours of a heat map are shares of, in words. */
  colours_title: string;
  /** The same rows, for a second plot. */
  latency: Figure | null;
}

/** The data inside a figure; a figure without any is a bug, and loud. */
export function figureOf(element: HTMLElement): Drawable {
  const script = element.querySelector('script[type="application/json"]');
  if (!script?.textContent) throw new Error("A figure announces a chart and brings no data.");
  return JSON.parse(script.textContent) as Drawable;
}

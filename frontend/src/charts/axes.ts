import type { Chart } from "chart.js";
import type { Drawable } from "./figure";
import { wrapped } from "./labels";
import { decadeBelow } from "./series";
import type { Theme } from "./theme";

export const LETTER = 6.4;
const LABEL_SHARE = 0.4;
/** Between a label and the chart. */
const LABEL_GAP = 8;
const MOST_LABEL = 40;
const NARROW = 480;

/** The axis of values, from zero or from the decade below the smallest of `held`. */
export function valueAxis(
  figure: Drawable,
  held: number[],
  theme: Theme,
  text: (value: number) => string = textOf(figure.axis_title),
): object {
  const log = figure.axis === "log";
  return {
    type: log ? "logarithmic" : "linear",
    // dots and whiskers are no dataset: the axis must be told of them
    suggestedMax: Math.max(...held),
    ...(log ? { min: decadeBelow(held) } : { beginAtZero: true }),
    title: titleOf(figure.axis_title, theme),
    grid: { color: theme.line, drawTicks: false },
    border: { display: false },
    ticks: {
      color: theme.soft,
      maxTicksLimit: 7,
      maxRotation: 0,
      callback(this: { min: number; max: number }, value: number): string | null {
        return log && !isMarked(value, this.max / this.min) ? null : text(value);
      },
    },
  };
}

/** One label for each row, in as many lines as it needs. */
export function labelAxis(labels: string[], theme: Theme): object {
  return {
    type: "category",
    grid: { display: false },
    border: { color: theme.line },
    offset: true,
    ticks: {
      color: theme.ink,
      autoSkip: false,
      font: ({ chart }: { chart: Chart }) => ({ size: chart.width < NARROW ? 11 : 12 }),
      callback(this: { chart: Chart }, _value: unknown, index: number): string[] {
        return wrapped(labels[index] ?? "", Math.min(MOST_LABEL, Math.max(10, labelRoom(this.chart) / LETTER)));
      },
    },
  };
}

/** Of the width of a chart; Chart.js cuts what is wider than half of what its padding leaves. */
function labelRoom(chart: Chart): number {
  const padding = chart.options.layout?.padding;
  const right = (typeof padding === "object" && "right" in padding && padding.right) || 0;
  return Math.min(chart.width * LABEL_SHARE, (chart.width - right) / 2 - LABEL_GAP);
}

const BESIDE = 0.03;

/** From before the first of `places` to behind the last: the caps of intervals there stand beside the axis. */
export function roomAround(places: number[], scale: "linear" | "log"): { min?: number; max?: number } {
  const [first, last] = [Math.min(...places), Math.max(...places)];
  if (first === last) return {};
  const factor = (last / first) ** BESIDE;
  if (scale === "log") return { min: first / factor, max: last * factor };
  const room = BESIDE * (last - first);
  return { min: first - room, max: last + room };
}

export function titleOf(text: string, theme: Theme): object {
  return { display: text !== "", text, color: theme.soft };
}

// what is rounded to a thousand has a comma in it
const PLAIN = 999.5;
const LONG = 10_000;
const SMALL = 1e-6;
const formats = new Map<string, Intl.NumberFormat>();

const PREFIXES = ["", "k", "M", "G", "T", "P"];

/** A number in four digits, with a prefix from ten thousand on: 12800 is 12.8k, as tables have kIOPS. */
export function tickText(value: number): string {
  return value < 0 ? `−${tickText(-value)}` : unsignedText(value);
}

function unsignedText(value: number): string {
  const size = Math.abs(value);
  // English and Japanese write these alike, and the first format of a page takes milliseconds
  if (value === 0 || (size >= SMALL && size < PLAIN)) return String(Number(value.toPrecision(4)));
  const rounded = Number(value.toPrecision(4));
  if (Math.abs(rounded) < LONG) return formatOf().format(value);
  const steps = Math.floor(Math.log10(Math.abs(rounded) * (1 + Number.EPSILON)) / 3);
  const step = Math.min(PREFIXES.length - 1, steps);
  return `${Number((rounded / 1000 ** step).toPrecision(4))}${PREFIXES[step]}`;
}

// "ms", "MB/s", "Latency µs, logarithmic"
const SIZED = /(?:^|\s)(?:%|[nµm]?s|[kMGTPE](?:i?B|IOPS|TPS)?)(?:\/\w+)?(?:[\s,、（]|$)/u;

/** How an axis writes its numbers: a unit that has a size of its own, such as µs, has no second prefix. */
export function textOf(title: string): (value: number) => string {
  return SIZED.test(title) ? plainText : tickText;
}

function plainText(value: number): string {
  return Math.abs(value) < PLAIN ? tickText(value) : formatOf().format(value);
}

/** A unit with the prefix in which `largest` is at least 1, as pages write it: 12800 IOPS are 12.8 kIOPS.
 *
 * One that has a size of its own, such as MB/s, stays.
 */
export function prefixed(unit: string, largest: number): { name: string; factor: number } {
  const isSized = SIZED.test(unit) || largest < 1000;
  const steps = isSized ? 0 : Math.floor(Math.log10(largest * (1 + Number.EPSILON)) / 3);
  const step = Math.min(PREFIXES.length - 1, steps);
  return { name: `${PREFIXES[step]}${unit}`, factor: 1000 ** step };
}

const TIMES = ["ns", "µs", "ms", "s"];

/** A time in `unit` as people write it: 20000 µs are 20 ms. */
export function timeText(value: number, unit: string): string {
  const place = TIMES.indexOf(unit);
  if (place < 0 || value <= 0) return `${tickText(value)} ${unit}`;
  const steps = Math.floor(Math.log10(value * (1 + Number.EPSILON)) / 3);
  const shown = Math.min(TIMES.length - 1, Math.max(0, place + steps));
  return `${tickText(value / 1000 ** (shown - place))} ${TIMES[shown]}`;
}

function formatOf(): Intl.NumberFormat {
  const { lang } = document.documentElement;
  const format = formats.get(lang) ?? new Intl.NumberFormat(lang, { maximumSignificantDigits: 4 });
  formats.set(lang, format);
  return format;
}

const FEW_DECADES = 100;

/** Whether a log axis has words at `value`: at 1, 2 and 5 where it spans two decades at most. */
export function isMarked(value: number, span: number): boolean {
  const leads = span <= FEW_DECADES ? [1, 2, 5] : [1];
  return leads.some((lead) => isDecade(value / lead));
}

function isDecade(value: number): boolean {
  return Number.isInteger(Math.round(Math.log10(value) * 1e6) / 1e6);
}

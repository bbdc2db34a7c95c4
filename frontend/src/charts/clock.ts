const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MONTH = 30 * DAY;
const YEAR = 365 * DAY;
const STEPS = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map((count) => count * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * MINUTE),
  ...[1, 2, 3, 6, 12].map((count) => count * HOUR),
  ...[1, 2, 7, 14].map((count) => count * DAY),
  ...[1, 2, 3, 6].map((count) => count * MONTH),
  ...[1, 2, 5, 10, 20, 50].map((count) => count * YEAR),
];
/** Beyond it one day is not told from the next. */
const PIXELS = 88;

/** A tick: when (ms since 1970), and its words in one line or two. */
export interface Tick {
  value: number;
  label: string[];
}

/** Where a clock has words between two times: at whole seconds, hours, days, months; `most` of them. */
export function timeTicks(min: number, max: number, most: number, lang: string): Tick[] {
  const span = (max - min) / Math.max(1, most);
  const step = STEPS.find((one) => one >= span) ?? STEPS.at(-1)!;
  const places = step >= MONTH ? monthsBetween(min, max, step) : wholeBetween(min, max, step);
  let day = "";
  return places.map((value) => {
    const [time, date] = [timeText(value, step, lang), dateText(value, step, lang)];
    const isNew = date !== day;
    day = date;
    return { value, label: [...(time ? [time] : []), ...(isNew ? [date] : [])] };
  });
}

function wholeBetween(min: number, max: number, step: number): number[] {
  const first = Math.ceil(min / step) * step;
  return Array.from({ length: Math.max(0, Math.floor((max - first) / step) + 1) }, (_, nth) => first + nth * step);
}

function monthsBetween(min: number, max: number, step: number): number[] {
  const months = step >= YEAR ? 12 * Math.round(step / YEAR) : Math.round(step / MONTH);
  const begin = new Date(min);
  const first = Math.floor((begin.getUTCFullYear() * 12 + begin.getUTCMonth()) / months) * months;
  const found = [];
  for (let month = first; ; month += months) {
    const at = Date.UTC(Math.floor(month / 12), month % 12);
    if (at > max) return found;
    if (at >= min) found.push(at);
  }
}

function timeText(at: number, step: number, lang: string): string {
  if (step >= DAY) return "";
  const seconds = step < MINUTE ? ({ second: "2-digit" } as const) : {};
  const digits = step < SECOND ? ({ fractionalSecondDigits: 3 } as const) : {};
  return formatOf(lang, { hour: "2-digit", minute: "2-digit", hourCycle: "h23", ...seconds, ...digits }).format(at);
}

function dateText(at: number, step: number, lang: string): string {
  if (step >= YEAR) return formatOf(lang, { year: "numeric" }).format(at);
  if (step >= MONTH) return formatOf(lang, { year: "numeric", month: "short" }).format(at);
  return formatOf(lang, { year: "numeric", month: "short", day: "numeric" }).format(at);
}

/** One time, to the second. */
export function momentText(at: number, lang: string): string {
  return formatOf(lang, { dateStyle: "medium", timeStyle: "medium", hourCycle: "h23" }).format(at);
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** As pages show times: in UTC. */
function formatOf(lang: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = lang + JSON.stringify(options);
  // 24 Nov 2026, as pages write it
  const format = formats.get(key) ?? new Intl.DateTimeFormat(lang === "en" ? "en-GB" : lang, { ...options, timeZone: "UTC" });
  formats.set(key, format);
  return format;
}

interface Axis {
  min: number;
  max: number;
  ticks: { value: number; label?: string[] }[];
  chart: { width: number };
}

/** What an axis of times (ms since 1970) has in the place of ticks of its own. */
export function clockTicks(color: string): object {
  const { lang } = document.documentElement;
  const shown = new Map<number, string[]>();
  return {
    afterBuildTicks(axis: Axis): void {
      const ticks = timeTicks(axis.min, axis.max, Math.floor(axis.chart.width / PIXELS), lang);
      shown.clear();
      for (const { value, label } of ticks) shown.set(value, label);
      axis.ticks = ticks.map(({ value }) => ({ value }));
    },
    ticks: {
      color,
      maxRotation: 0,
      autoSkip: false,
      callback: (value: number): string[] => shown.get(value) ?? [],
    },
  };
}

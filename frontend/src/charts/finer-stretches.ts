import type { Chart } from "chart.js";
import type { OverTimeChart, OverTimeRow } from "./view";
import type { Range } from "./zoom";

type Points = OverTimeRow["points"];

/** The stretches of a span as the API has them: in base units, in seconds since each run began. */
export interface Stretches {
  lines: { run: number; stretches: Points }[];
}

/** While people still zoom, nothing is requested. */
const STILL_MS = 200;
/** Of less than the whole there may be more to see. */
const NEARER = 0.95;

/** Asks for finer stretches of what is in sight, once it stays, and shows them. */
export function finerIn(figure: OverTimeChart, full: Range): (chart: Chart, shown: Range) => void {
  const coarse = figure.rows.map((row) => row.points);
  let waiting: ReturnType<typeof setTimeout> | undefined;
  let request: AbortController | undefined;
  const draw = (chart: Chart, answer: Stretches): void => {
    merged(figure, coarse, answer).forEach((points, index) => {
      figure.rows[index]!.points = points;
      chart.data.datasets[index]!.data = points.map(([x, , y]) => ({ x, y }));
    });
    chart.update("none");
  };
  return (chart, shown) => {
    if (!figure.finer) return;
    clearTimeout(waiting);
    request?.abort();
    if (shown.max - shown.min > NEARER * (full.max - full.min)) return;
    waiting = setTimeout(() => {
      request = new AbortController();
      const { signal } = request;
      // where no answer comes, what is drawn stays as it is
      void fetched(addressOf(figure, shown), signal).then((answer) => answer && draw(chart, answer), () => undefined);
    }, STILL_MS);
  };
}

/** The address of a span; by the clock the axis counts milliseconds. */
export function addressOf(figure: OverTimeChart, shown: Range): string {
  const seconds = (at: number): string => String(figure.by_wall ? at / 1000 : at);
  const span = new URLSearchParams({ from_s: seconds(shown.min), until_s: seconds(shown.max) });
  return `${figure.finer}&${span}`;
}

/** The coarse points of each row, and within the span the finer ones. */
export function merged(figure: OverTimeChart, coarse: Points[], answer: Stretches): Points[] {
  const left = [...answer.lines];
  const factor = figure.factor ?? 1;
  return figure.rows.map((row, index) => {
    const own = coarse[index] ?? [];
    // of several traces of one run, the next
    const place = left.findIndex((line) => line.run === row.run);
    const [line] = place < 0 ? [] : left.splice(place, 1);
    const finer = (line?.stretches ?? []).map(
      ([at, ...values]): Points[number] => [
        figure.by_wall ? 1000 * ((row.began ?? 0) + at) : at,
        ...(values.map((value) => value / factor) as [number, number, number]),
      ],
    );
    const [first, last] = [finer[0]?.[0], finer.at(-1)?.[0]];
    if (first === undefined || last === undefined) return own;
    return [...own.filter(([at]) => at < first), ...finer, ...own.filter(([at]) => at > last)];
  });
}

async function fetched(address: string, signal: AbortSignal): Promise<Stretches | undefined> {
  const response = await fetch(address, { signal, headers: { Accept: "application/json" } });
  return response.ok ? ((await response.json()) as Stretches) : undefined;
}

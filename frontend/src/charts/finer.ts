import type { Chart } from "chart.js";
import type { OverTimeChart, OverTimeRow } from "./view";
import type { Range } from "./zoom";

type Points = OverTimeRow["points"];

/** What the server tells of a span: in base units, in seconds since each run began. */
export interface Told {
  lines: { run: number; stretches: Points }[];
}

/** While people still zoom, nothing is asked. */
const STILL_MS = 200;
/** Of less than the whole there may be more to see. */
const NEARER = 0.95;

/** Asks for finer stretches of what is in sight, once it stays, and shows them. */
export function finerIn(figure: OverTimeChart, full: Range): (chart: Chart, shown: Range) => void {
  const coarse = figure.rows.map((row) => row.points);
  let waiting: ReturnType<typeof setTimeout> | undefined;
  let asked: AbortController | undefined;
  const draw = (chart: Chart, told: Told): void => {
    merged(figure, coarse, told).forEach((points, index) => {
      figure.rows[index]!.points = points;
      chart.data.datasets[index]!.data = points.map(([x, , y]) => ({ x, y }));
    });
    chart.update("none");
  };
  return (chart, shown) => {
    if (!figure.finer) return;
    clearTimeout(waiting);
    asked?.abort();
    if (shown.max - shown.min > NEARER * (full.max - full.min)) return;
    waiting = setTimeout(() => {
      asked = new AbortController();
      const { signal } = asked;
      // where no answer comes, what is drawn stays as it is
      void ask(addressOf(figure, shown), signal).then((told) => told && draw(chart, told), () => undefined);
    }, STILL_MS);
  };
}

/** Where a span is told; by the clock the axis counts milliseconds. */
export function addressOf(figure: OverTimeChart, shown: Range): string {
  const seconds = (at: number): string => String(figure.by_wall ? at / 1000 : at);
  const span = new URLSearchParams({ from_s: seconds(shown.min), until_s: seconds(shown.max) });
  return `${figure.finer}&${span}`;
}

/** The coarse points of each row, and within the span those that were told. */
export function merged(figure: OverTimeChart, coarse: Points[], told: Told): Points[] {
  const left = [...told.lines];
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

async function ask(address: string, signal: AbortSignal): Promise<Told | undefined> {
  const answer = await fetch(address, { signal, headers: { Accept: "application/json" } });
  return answer.ok ? ((await answer.json()) as Told) : undefined;
}

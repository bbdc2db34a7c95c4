import type { ChartFigure } from "./view";

/** What every chart has: a name for its picture, the runs of each row, an axis of values. */
export type Drawable = Pick<ChartFigure, "measure" | "axis" | "axis_title"> & {
  rows: { n: number }[];
};

/** One chart of several on one axis: its own rows, and the `whole` that the axis must hold. */
export type Part = ChartFigure & { whole?: ChartFigure };

/** The data inside a figure, or of its part of one; a figure without any is a bug, and loud. */
export function figureOf(element: HTMLElement): Drawable {
  const script = dataIn(element) ?? dataIn(element.closest("[data-parts]"));
  if (!script?.textContent) throw new Error("A figure announces a chart and brings no data.");
  const whole = JSON.parse(script.textContent) as Drawable;
  const part = element.dataset["partOf"];
  return part === undefined ? whole : partOf(whole as ChartFigure, Number(part));
}

/** The rows of a part, and those of its second plot. */
export function partOf(whole: ChartFigure, part: number): Part {
  const rows = whole.rows.filter((row) => row.part === part);
  const { latency } = whole;
  const beside = latency && { ...latency, rows: latency.rows.filter((row) => row.part === part) };
  return { ...whole, rows, latency: beside, whole };
}

/** What the axes of a chart must hold, so that those of all parts are one. */
export function wholeOf(figure: Part): ChartFigure {
  return figure.whole ?? figure;
}

function dataIn(element: Element | null): Element | null | undefined {
  return element?.querySelector(':scope > script[type="application/json"]');
}

import type { ChartFigure } from "./view";

/** What every chart has: a name for its picture, the runs of each row, an axis of values. */
export type Drawable = Pick<ChartFigure, "measure" | "axis" | "axis_title"> & {
  rows: { n: number }[];
};

/** The data inside a figure; a figure without any is a bug, and loud. */
export function figureOf(element: HTMLElement): Drawable {
  const script = element.querySelector('script[type="application/json"]');
  if (!script?.textContent) throw new Error("A figure announces a chart and brings no data.");
  return JSON.parse(script.textContent) as Drawable;
}

import type { ChartConfiguration } from "chart.js";
import type { Theme } from "./theme";

/** The chart in a theme; of what kind it is, is its own affair. */
export type ChartIn = (look: Theme) => ChartConfiguration<"bar">;

export const MARGIN = 20;
export const TITLE = 22;
export const LINE = 17;

/** A picture around a chart of `width` by `height`, its foot in lines. */
export interface Frame {
  title: string;
  foot: string[];
  width: number;
  height: number;
}

/** The whole height of a picture, its words among it. */
export function heightOf(frame: Frame): number {
  return MARGIN + TITLE + frame.height + LINE * frame.foot.length + MARGIN;
}

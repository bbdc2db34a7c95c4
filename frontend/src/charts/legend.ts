import type { Theme } from "./theme";

/** Colours before they come again: lines beyond are told apart by the words at their ends. */
export const MOST_COLOURS = 10;

/** The legend of several lines; none for one, and none where each line has its words beside it. */
export function legendOf(lines: number, theme: Theme, style: "point" | "line" = "point"): object {
  const labels = { color: theme.ink, usePointStyle: true };
  return {
    display: lines > 1 && (style === "line" || lines <= MOST_COLOURS),
    labels: style === "line" ? { ...labels, pointStyleWidth: 22 } : { ...labels, boxHeight: 7 },
  };
}

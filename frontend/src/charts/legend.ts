import { type Chart, type LegendItem, defaults } from "chart.js";
import { LETTER } from "./axes";
import { toldApart } from "./labels";
import type { Theme } from "./theme";

/** Series colours before they repeat: more lines are labelled at their ends, or listed in the table. */
export const MOST_COLOURS = 10;
/** Pixels of an entry beside its words. */
const MARK = 50;

interface Look {
  style?: "point" | "line";
  /** What stands at the ends of many lines; where nothing can, the legend is below, whatever their number. */
  ends?: string[];
}

/** The legend of several lines; none for a single one, or for so many that it would crowd out the plot. */
export function legendOf(lines: number, theme: Theme, { style = "point", ends }: Look = {}): object {
  const labels = { color: theme.ink, usePointStyle: true, generateLabels };
  const isBelow = lines > MOST_COLOURS && ends?.length === 0;
  return {
    display: (lines > 1 && lines <= MOST_COLOURS) || isBelow,
    ...(isBelow ? { position: "bottom" } : {}),
    labels: style === "line" ? { ...labels, pointStyleWidth: 22 } : { ...labels, boxHeight: 7 },
  };
}

/** Entries that fit the chart: what is wider would be cut off at its edge, where names differ most. */
function generateLabels(chart: Chart): LegendItem[] {
  const room = Math.max(10, Math.floor((chart.width - MARK) / LETTER));
  const items = defaults.plugins.legend.labels.generateLabels(chart);
  const names = toldApart(items.map((item) => item.text), room);
  return items.map((item, index) => {
    const { borderDash } = chart.data.datasets[item.datasetIndex ?? 0] as { borderDash?: number[] };
    return { ...markOfLine(item, borderDash), text: names[index] ?? "" };
  });
}

/** The mark of a line itself: Chart.js takes that of its first point, hollow where it has doubts, and no dashes. */
export function markOfLine(item: LegendItem, dashes: number[] = []): LegendItem {
  const fill = item.strokeStyle ? { fillStyle: item.strokeStyle } : {};
  return { ...item, ...fill, lineDash: item.pointStyle === "line" ? dashes : [] };
}

import type { Chart, Plugin } from "chart.js";
import { lengthOf, toldApart } from "./labels";
import { MOST_COLOURS } from "./legend";
import type { Theme } from "./theme";

const GAP = 8;
const LETTER = 6.2;
const HEIGHT = 13;
const LONGEST = 32;
/** Of the width of a figure, which has to leave room for the lines on a phone. */
const MOST = 0.3;

/** The names at the ends of lines that colours no longer tell apart; none where a legend says them, or says them better. */
export function endNames(labels: string[], figure: HTMLElement): string[] {
  if (labels.length <= MOST_COLOURS) return [];
  const letters = Math.floor(Math.min(LONGEST, (MOST * figure.clientWidth - 2 * GAP) / LETTER));
  const names = toldApart(labels, letters);
  return new Set(names).size === new Set(labels).size ? names : [];
}

/** The room right of the chart for these names. */
export function roomFor(names: string[]): number {
  return names.length ? Math.max(...names.map(lengthOf)) * LETTER + 2 * GAP : 0;
}

/** Each name at the end of its line, in its colour. */
export function lineEnds(names: string[], theme: Theme): Plugin {
  return {
    id: "line-ends",
    afterDatasetsDraw(chart) {
      const { ctx } = chart;
      ctx.save();
      ctx.font = `11px ${theme.font}`;
      ctx.textBaseline = "middle";
      for (const { x, y, index } of spread(endsOf(chart, names.length), chart.chartArea.bottom)) {
        ctx.fillStyle = String(chart.data.datasets[index]?.borderColor ?? theme.ink);
        ctx.fillText(names[index] ?? "", x + GAP, y);
      }
      ctx.restore();
    },
  };
}

interface End {
  x: number;
  y: number;
  index: number;
}

function endsOf(chart: Chart, count: number): End[] {
  const right = chart.chartArea.right;
  return Array.from({ length: count }, (_, index) => {
    const last = chart.getDatasetMeta(index).data.at(-1);
    return last ? [{ x: right, y: last.y, index }] : [];
  }).flat();
}

/** Words that would lie on each other make room downwards, and upwards at the floor. */
export function spread(ends: End[], floor: number): End[] {
  const sorted = ends.toSorted((a, b) => a.y - b.y);
  let least = Number.NEGATIVE_INFINITY;
  const down = sorted.map((end) => {
    least = Math.max(end.y, least + HEIGHT);
    return { ...end, y: least };
  });
  let most = floor;
  for (const end of down.toReversed()) {
    end.y = Math.min(end.y, most);
    most = end.y - HEIGHT;
  }
  return down;
}

import type { Chart, Plugin } from "chart.js";
import { lengthOf, shortened } from "./labels";
import { MOST_COLOURS } from "./legend";
import type { Theme } from "./theme";

const GAP = 8;
const LETTER = 6.2;
const HEIGHT = 13;
const LONGEST = 26;
/** Of the width of a figure, which has to leave room for the lines on a phone. */
const MOST = 0.3;

/** The room right of the chart for the words of lines that colours no longer tell apart. */
export function roomFor(labels: string[], figure: HTMLElement): number {
  if (labels.length <= MOST_COLOURS) return 0;
  const longest = Math.min(LONGEST, Math.max(...labels.map(lengthOf)));
  return Math.min(longest * LETTER + 2 * GAP, MOST * figure.clientWidth);
}

/** The words of each line at its end, in its colour, where there are more lines than colours. */
export function lineEnds(labels: string[], theme: Theme): Plugin {
  return {
    id: "line-ends",
    afterDatasetsDraw(chart) {
      if (labels.length <= MOST_COLOURS) return;
      const { ctx } = chart;
      ctx.save();
      ctx.font = `11px ${theme.font}`;
      ctx.textBaseline = "middle";
      const letters = Math.floor((chart.width - chart.chartArea.right - GAP) / LETTER);
      for (const { x, y, index } of spread(endsOf(chart, labels.length), chart.chartArea.bottom)) {
        ctx.fillStyle = String(chart.data.datasets[index]?.borderColor ?? theme.ink);
        ctx.fillText(shortened(labels[index] ?? "", letters), x + GAP, y);
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

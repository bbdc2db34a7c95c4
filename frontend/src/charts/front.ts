import { type Chart, LinearScale, LogarithmicScale, type Plugin } from "chart.js";
import { PointElement, ScatterController, Tooltip } from "chart.js";
import { valueAxis } from "./axes";
import { toldApart } from "./labels";
import type { Kind } from "./plot";
import type { Theme } from "./theme";
import { tooltipOf } from "./tooltip";
import type { FrontChart } from "./view";

/** Radii of points, in pixels. */
const FRONT = 7;
const BEHIND = 4;
const HEIGHT = 13;
/** Of a name, as wide as the widest of most. */
const LETTER = 6.2;
const LONGEST = 28;
/** From a point to the middle of its name above or below. */
const BESIDE = 16;
/** Between a point and its name beside it. */
const GAP = 4;
/** More names than that are read one by one, in the table. */
const MOST_NAMED = 24;

/** Draws groups by two measures, with their names where there is room; those that none is ahead of are filled. */
export const front: Kind<FrontChart> = {
  parts: [LinearScale, LogarithmicScale, PointElement, ScatterController, Tooltip],
  configure,
};

function configure(figure: FrontChart, _element: HTMLElement, theme: Theme): object {
  const { rows } = figure;
  const along = { ...figure, axis: figure.along_axis, axis_title: figure.along_title };
  return {
    type: "scatter",
    data: {
      datasets: [
        {
          data: rows.map(({ x, y }) => ({ x, y })),
          radius: rows.map((row) => (row.front ? FRONT : BEHIND)),
          backgroundColor: rows.map((row) => (row.front ? theme.series(row.slot) : theme.surface)),
          borderColor: rows.map((row) => (row.front ? theme.ink : theme.series(row.slot))),
          borderWidth: 1.5,
        },
      ],
    },
    options: {
      animation: false,
      maintainAspectRatio: false,
      layout: { padding: { top: BESIDE + HEIGHT / 2 } },
      scales: {
        x: valueAxis(along, rows.map((row) => row.x), theme),
        y: valueAxis(figure, rows.map((row) => row.y), theme),
      },
      interaction: { mode: "nearest", intersect: false },
      plugins: {
        legend: { display: false },
        tooltip: tooltipOf({
          title: ([item]) => (item ? (rows[item.dataIndex]?.label ?? "") : ""),
          label: (item) => [rows[item.dataIndex]?.text ?? "", `n: ${rows[item.dataIndex]?.n ?? 0}`],
        }),
      },
    },
    plugins: [names(figure, theme)],
  };
}

/** The names of the front first, then those of what is behind it. */
function names(figure: FrontChart, theme: Theme): Plugin {
  return {
    id: "names",
    afterDatasetsDraw(chart: Chart): void {
      const { ctx, chartArea } = chart;
      ctx.save();
      ctx.font = `11px ${theme.font}`;
      ctx.textBaseline = "middle";
      const letters = Math.min(LONGEST, Math.floor((chartArea.right - chartArea.left) / LETTER));
      const rows = figure.rows.toSorted((one, other) => Number(other.front) - Number(one.front));
      const labels = toldApart(rows.map((row) => row.label), letters);
      const points = rows.map((row, index) => ({
        x: chart.scales["x"]?.getPixelForValue(row.x) ?? 0,
        y: chart.scales["y"]?.getPixelForValue(row.y) ?? 0,
        radius: row.front ? FRONT : BEHIND,
        width: index < MOST_NAMED ? ctx.measureText(labels[index] ?? "").width : 0,
      }));
      namePlaces(points, chartArea).forEach((place, index) => {
        ctx.fillStyle = rows[index]?.front ? theme.ink : theme.soft;
        if (place) ctx.fillText(labels[index] ?? "", place.left, (place.top + place.bottom) / 2);
      });
      ctx.restore();
    },
  };
}

/** Where names of these widths stand (0: none): above, below or beside their points; nowhere, if not on free ground. */
export function namePlaces(
  points: { x: number; y: number; radius: number; width: number }[],
  area: { left: number; right: number; bottom: number },
): (Box | undefined)[] {
  const taken = points.map(({ x, y, radius }) => boxOf(x, y, 2 * radius, 2 * radius));
  const isFree = (box: Box): boolean =>
    box.top >= 0 &&
    box.bottom < area.bottom &&
    box.left >= area.left &&
    box.right <= area.right &&
    !taken.some((one) => isOn(box, one));
  return points.map(({ x, y, radius, width }) => {
    if (!width) return undefined;
    const middle = Math.max(area.left + width / 2, Math.min(x, area.right - width / 2));
    const aside = radius + GAP + width / 2;
    const free = [
      boxOf(middle, y - BESIDE, width, HEIGHT),
      boxOf(middle, y + BESIDE, width, HEIGHT),
      boxOf(x + aside, y, width, HEIGHT),
      boxOf(x - aside, y, width, HEIGHT),
    ].find(isFree);
    if (free) taken.push(free);
    return free;
  });
}

interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Around its middle. */
function boxOf(x: number, y: number, width: number, height: number): Box {
  return { left: x - width / 2, right: x + width / 2, top: y - height / 2, bottom: y + height / 2 };
}

function isOn(one: Box, other: Box): boolean {
  return one.left < other.right && one.right > other.left && one.top < other.bottom && one.bottom > other.top;
}

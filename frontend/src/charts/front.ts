import { type Chart, LinearScale, LogarithmicScale, type Plugin } from "chart.js";
import { PointElement, ScatterController, Tooltip } from "chart.js";
import { valueAxis } from "./axes";
import type { Kind } from "./plot";
import type { Theme } from "./theme";
import { tooltipOf } from "./tooltip";
import type { FrontChart } from "./view";

const ABOVE = 9;
const HEIGHT = 14;
/** More names than that lie on each other. */
const MOST_NAMED = 12;

/** Draws groups by two measures; those that none is ahead of are filled, and have their names. */
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
          radius: rows.map((row) => (row.front ? 7 : 4)),
          backgroundColor: rows.map((row) => (row.front ? theme.series(row.slot) : theme.surface)),
          borderColor: rows.map((row) => (row.front ? theme.ink : theme.series(row.slot))),
          borderWidth: 1.5,
        },
      ],
    },
    options: {
      animation: false,
      maintainAspectRatio: false,
      layout: { padding: { top: 2 * ABOVE } },
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

/** The name of each point of the front above it, where they are few and it lies on no other. */
function names(figure: FrontChart, theme: Theme): Plugin {
  const named = figure.rows.filter((row) => row.front);
  return {
    id: "names",
    afterDatasetsDraw(chart: Chart): void {
      if (named.length > MOST_NAMED) return;
      const { ctx, chartArea: area } = chart;
      ctx.save();
      ctx.font = `11px ${theme.font}`;
      ctx.fillStyle = theme.ink;
      ctx.textBaseline = "bottom";
      const taken: { left: number; right: number; y: number }[] = [];
      for (const row of named) {
        const x = chart.scales["x"]?.getPixelForValue(row.x) ?? 0;
        const y = chart.scales["y"]?.getPixelForValue(row.y) ?? 0;
        const width = ctx.measureText(row.label).width;
        const left = Math.max(area.left, Math.min(x - width / 2, area.right - width));
        const right = left + width;
        if (taken.some((one) => left < one.right && right > one.left && Math.abs(y - one.y) < HEIGHT)) continue;
        taken.push({ left, right, y });
        ctx.fillText(row.label, left, y - ABOVE);
      }
      ctx.restore();
    },
  };
}

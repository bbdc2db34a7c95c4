import { Legend, LinearScale, LineController, LineElement } from "chart.js";
import { LogarithmicScale, type Plugin, PointElement, Tooltip } from "chart.js";
import { tickText, titleOf, valueAxis } from "./axes";
import { legendOf } from "./legend";
import type { Kind } from "./plot";
import type { Theme } from "./theme";
import { tooltipOf, type Words } from "./tooltip";
import type { OverTimeChart, OverTimeRow } from "./view";

/** Lines of one group share its colour and differ in their dashes. */
const DASHES = [[], [7, 3], [2, 2], [9, 3, 2, 3]];

const FAINT = 0.16;

/** Draws runs over each other along the seconds since each began. */
export const overTime: Kind<OverTimeChart> = {
  parts: [Legend, LinearScale, LineController, LineElement, LogarithmicScale, PointElement, Tooltip],
  configure,
};

function configure(figure: OverTimeChart, _element: HTMLElement, theme: Theme): object {
  const held = figure.rows.flatMap((row) => row.points.flatMap(([, lowest, , highest]) => [lowest, highest]));
  const last = Math.max(...figure.rows.map((row) => row.points.at(-1)?.[0] ?? 0));
  return {
    type: "line",
    data: { datasets: figure.rows.map((row) => dataset(row, theme)) },
    options: {
      animation: false,
      maintainAspectRatio: false,
      // points are in the order of time, as the chart wants them
      parsing: false,
      normalized: true,
      scales: {
        x: {
          type: "linear",
          min: 0,
          max: last,
          title: titleOf(figure.along_title, theme),
          grid: { color: theme.line, drawTicks: false },
          ticks: { color: theme.soft, maxRotation: 0, includeBounds: false, callback: tickText },
        },
        y: valueAxis(figure, held, theme),
      },
      interaction: { mode: "nearest", axis: "x", intersect: false },
      plugins: {
        legend: legendOf(figure.rows.length, theme, "line"),
        tooltip: tooltipOf(words(figure), ({ datasetIndex }) => [figure.rows[datasetIndex]?.run ?? []].flat()),
      },
    },
    plugins: [bands(figure, theme)],
  };
}

function dataset(row: OverTimeRow, theme: Theme): object {
  return {
    label: row.label,
    data: row.points.map(([x, , y]) => ({ x, y })),
    borderColor: theme.series(row.slot),
    backgroundColor: theme.series(row.slot),
    borderDash: DASHES[row.nth % DASHES.length],
    borderWidth: 1.75,
    radius: 0,
    hoverRadius: 4,
    pointStyle: "line",
  };
}

/** From the lowest to the highest point of each stretch, behind the line of their means. */
function bands(figure: OverTimeChart, theme: Theme): Plugin {
  return {
    id: "bands",
    beforeDatasetsDraw(chart) {
      const { ctx, chartArea: area } = chart;
      const [across, down] = [chart.scales["x"], chart.scales["y"]];
      if (!across || !down) return;
      ctx.save();
      ctx.beginPath();
      ctx.rect(area.left, area.top, area.width, area.height);
      ctx.clip();
      ctx.globalAlpha = FAINT;
      for (const [index, row] of figure.rows.entries()) {
        if (!chart.isDatasetVisible(index)) continue;
        const top = row.points.map(([x, , , y]) => [x, y] as const);
        const floor = row.points.map(([x, y]) => [x, y] as const).reverse();
        ctx.fillStyle = theme.series(row.slot);
        ctx.beginPath();
        for (const [x, y] of [...top, ...floor]) {
          ctx.lineTo(across.getPixelForValue(x), down.getPixelForValue(y));
        }
        ctx.fill();
      }
      ctx.restore();
    },
  };
}

function words(figure: OverTimeChart): Words {
  return {
    title: ([item]) => (item ? (figure.rows[item.datasetIndex]?.label ?? "") : ""),
    label(item): string[] {
      const point = figure.rows[item.datasetIndex]?.points[item.dataIndex];
      if (!point) return [];
      const [seconds, lowest, mean, highest] = point.map(tickText);
      const range = lowest === highest ? "" : ` (${lowest} – ${highest})`;
      return [`${seconds} s: ${mean} ${figure.axis_title}${range}`];
    },
  };
}

import { Legend, LinearScale, LineController, LineElement } from "chart.js";
import { type Chart, LogarithmicScale, type Plugin, PointElement, Tooltip } from "chart.js";
import { titleOf, valueAxis } from "./axes";
import { clockTicks, momentText } from "./clock";
import { legendOf } from "./legend";
import { dashesOf, SHAPES } from "./marks";
import type { Kind } from "./plot";
import type { Theme } from "./theme";
import { cellsOf, tooltipOf, type Words } from "./tooltip";
import type { HistoryChart, HistoryMark, HistoryRow } from "./view";
import { type Range, zoomedAxis, zoomOptions, zoomPlugin } from "./zoom";

const RADIUS = 4.5;
const SMALLEST = 1.75;
const HOUR = 3_600_000;
const ROOM = 20;
const GAP = 5;
/** Words of a mark need so much room, its number less. */
const FEWEST_PIXELS = 60;
const NUMBER_PIXELS = 16;

/** Draws samples where they were measured, a line for each way of setting up, and what changed meanwhile. */
export const history: Kind<HistoryChart> = {
  parts: [Legend, LinearScale, LineController, LineElement, LogarithmicScale, PointElement, Tooltip],
  configure,
};

function configure(figure: HistoryChart, element: HTMLElement, theme: Theme): object {
  const points = figure.rows.flatMap((row) => row.points);
  const values = points.map((point) => point.shown);
  const full = around(points.map((point) => point.at));
  const { lang } = document.documentElement;
  return {
    type: "line",
    data: { datasets: figure.rows.map((_row, index) => dataset(figure.rows, index, points.length, theme)) },
    options: {
      animation: false,
      maintainAspectRatio: false,
      layout: { padding: { top: figure.marks.length ? ROOM : 0 } },
      scales: {
        x: {
          type: "linear",
          ...zoomedAxis(element, full, (at) => momentText(at, lang)),
          title: titleOf(figure.along_title, theme),
          grid: { color: theme.line, drawTicks: false },
          ...clockTicks(theme.soft),
        },
        y: { ...valueAxis(figure, values, theme), ...fitted(values) },
      },
      interaction: { mode: "nearest", intersect: false },
      plugins: {
        // above, the words of changes have their place
        legend: { ...legendOf(figure.rows.length, theme), position: "bottom" },
        tooltip: tooltipOf(words(figure, element), ({ datasetIndex, dataIndex }) =>
          [figure.rows[datasetIndex]?.points[dataIndex]?.run ?? []].flat(),
        ),
        zoom: zoomOptions(element, full, theme.line),
      },
    },
    plugins: [changeMarks(figure.marks, theme), zoomPlugin],
  };
}

/** From the first to the last, with a little room on both sides. */
function around(times: number[]): Range {
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const room = Math.max((last - first) / 40, HOUR / 60);
  return { min: first - room, max: last + room };
}

/** Near values fill the chart: a line has no length that must begin at zero. */
function fitted(values: number[]): object {
  const [lowest, highest] = [Math.min(...values), Math.max(...values)];
  const room = (highest - lowest) / 4;
  if (lowest <= highest / 2 || room === 0) return {};
  return { beginAtZero: false, suggestedMin: lowest - room, suggestedMax: highest + room };
}

/** A doubted sample is a ring. */
function dataset(rows: HistoryRow[], index: number, all: number, theme: Theme): object {
  const row = rows[index] as HistoryRow;
  const colour = theme.series(row.slot);
  return {
    label: row.label,
    data: row.points.map((point) => ({ x: point.at, y: point.shown })),
    borderColor: colour,
    backgroundColor: colour,
    borderWidth: 1.5,
    // the more of them, the smaller, so that rings are seen among them
    radius: ({ chart }: { chart: Chart }) => Math.max(SMALLEST, Math.min(RADIUS, chart.width / all / 2.5)),
    hoverRadius: 7,
    borderDash: dashesOf(rows.map((one) => one.slot), index),
    pointStyle: SHAPES[index % SHAPES.length],
    pointBackgroundColor: row.points.map((point) => (point.doubted ? theme.surface : colour)),
    pointBorderColor: colour,
    pointBorderWidth: 1.5,
  };
}

/** A dashed line at each change, with its number of the list below, and its words where there is room. */
function changeMarks(marks: HistoryMark[], theme: Theme): Plugin {
  return {
    id: "changes",
    beforeDatasetsDraw(chart) {
      const { ctx, chartArea: area } = chart;
      const places = marks.map((mark, index) => ({ ...mark, number: index + 1, x: across(chart, mark.at) }));
      const there = places.filter(({ x }) => x >= area.left && x <= area.right);
      ctx.save();
      ctx.strokeStyle = theme.soft;
      ctx.fillStyle = theme.ink;
      ctx.lineWidth = 1;
      ctx.font = `12px ${theme.font}`;
      ctx.textBaseline = "middle";
      let free = Number.NEGATIVE_INFINITY;
      there.forEach(({ x, text, number }, index) => {
        ctx.setLineDash([4, 3]);
        ctx.beginPath();
        ctx.moveTo(x, area.top - GAP);
        ctx.lineTo(x, area.bottom);
        ctx.stroke();
        if (x < free) return;
        const room = (there[index + 1]?.x ?? chart.width) - x - 2 * GAP;
        const shown = room < FEWEST_PIXELS ? `${number}` : fitting(ctx, `${number} ${text}`, room);
        ctx.fillText(shown, x + 2, area.top - 2 * GAP - 2);
        free = x + NUMBER_PIXELS;
      });
      ctx.restore();
    },
  };
}

function across(chart: Chart, at: number): number {
  return chart.scales["x"]?.getPixelForValue(at) ?? 0;
}

function fitting(ctx: CanvasRenderingContext2D, text: string, room: number): string {
  if (ctx.measureText(text).width <= room) return text;
  let cut = text;
  while (cut.length > 1 && ctx.measureText(`${cut}…`).width > room) cut = cut.slice(0, -1);
  return `${cut.trimEnd()}…`;
}

/** What stands in the line of the table. */
function words(figure: HistoryChart, element: HTMLElement): Words {
  const { lang } = document.documentElement;
  return {
    title([item]): string {
      const row = item && figure.rows[item.datasetIndex];
      const at = row && row.points[item.dataIndex]?.at;
      return [row?.label, at === undefined ? "" : momentText(at, lang)].filter(Boolean).join(" · ");
    },
    label(item): string[] {
      const row = figure.rows[item.datasetIndex];
      const point = row?.points[item.dataIndex];
      if (!row || !point) return [];
      // the title has the line already
      const cells = cellsOf(element, point.row).slice(row.label ? 1 : 0);
      return cells.filter((cell) => !cell.endsWith(": "));
    },
  };
}

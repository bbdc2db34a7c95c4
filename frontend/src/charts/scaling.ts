import { type Chart, Legend, LinearScale, LineElement, LogarithmicScale, type Plugin } from "chart.js";
import { PointElement, ScatterController, Tooltip } from "chart.js";
import { PointWithErrorBar, ScatterWithErrorBarsController } from "chartjs-chart-error-bars";
import { roomAround, tickText, titleOf, valueAxis } from "./axes";
import { legendOf } from "./legend";
import { endNames, lineEnds, roomFor } from "./line-ends";
import { dashesOf, SHAPES } from "./marks";
import type { Kind } from "./plot";
import type { Theme } from "./theme";
import { tooltipOf } from "./tooltip";
import type { ScalingChart, ScalingRow } from "./view";

const GAP = 6;
const HEIGHT = 14;

/** Draws what was measured along a number as points, and the law that fits them as a curve. */
export const scaling: Kind<ScalingChart> = {
  parts: [
    Legend,
    LinearScale,
    LineElement,
    LogarithmicScale,
    PointElement,
    PointWithErrorBar,
    ScatterController,
    ScatterWithErrorBarsController,
    Tooltip,
  ],
  configure,
};

function configure(figure: ScalingChart, element: HTMLElement, theme: Theme): object {
  const { rows } = figure;
  const ends = endNames(rows.map((row) => row.label), element);
  const held = rows.flatMap((row) => [
    ...row.points.flatMap((point) => [point.low, point.high]),
    ...row.curve.map(([, value]) => value),
  ]);
  return {
    type: "scatterWithErrorBars",
    data: {
      // points first, so that a row's index is that of its points
      datasets: [
        ...rows.map((row, index) => measured(row, index, theme)),
        ...rows.map((row, index) => ({
          ...curve(row, theme),
          borderDash: dashesOf(rows.map((one) => one.slot), index),
        })),
      ],
    },
    options: {
      animation: false,
      maintainAspectRatio: false,
      layout: { padding: { right: roomFor(ends) } },
      scales: {
        x: alongAxis(figure, theme),
        y: valueAxis(figure, held, theme),
      },
      interaction: { mode: "nearest", intersect: false, filter: isMeasured(rows.length) },
      plugins: {
        legend: withoutCurves(legendOf(rows.length, theme, { ends }), rows.length),
        tooltip: {
          ...tooltipOf({
            title: ([item]) => (item ? (rows[item.datasetIndex]?.label ?? "") : ""),
            label: (item) => rows[item.datasetIndex]?.points[item.dataIndex]?.text ?? "",
          }),
          filter: isMeasured(rows.length),
        },
      },
    },
    plugins: [lineEnds(ends, theme), peaks(rows, theme)],
  };
}

function isMeasured(lines: number): (item: { datasetIndex: number }) => boolean {
  return ({ datasetIndex }) => datasetIndex < lines;
}

/** A curve has the name of its points. */
function withoutCurves(legend: object, lines: number): object {
  const labels = "labels" in legend ? (legend.labels as object) : {};
  const filter = (item: { datasetIndex?: number }): boolean => (item.datasetIndex ?? 0) < lines;
  return { ...legend, labels: { ...labels, filter } };
}

function measured(row: ScalingRow, index: number, theme: Theme): object {
  const colour = theme.series(row.slot);
  return {
    label: row.label,
    data: row.points.map((point) => ({
      x: point.at,
      y: point.shown,
      yMin: point.low,
      yMax: point.high,
    })),
    borderColor: colour,
    backgroundColor: colour,
    radius: 5,
    pointStyle: SHAPES[index % SHAPES.length],
    errorBarColor: colour,
    errorBarWhiskerColor: colour,
    errorBarLineWidth: 1.5,
    errorBarWhiskerLineWidth: 1.5,
    errorBarWhiskerSize: 8,
    // without a law a thin line leads from point to point
    showLine: row.curve.length === 0,
    borderWidth: 1,
    borderDash: [3, 3],
  };
}

function curve(row: ScalingRow, theme: Theme): object {
  const colour = theme.series(row.slot);
  return {
    type: "scatter",
    label: row.label,
    data: row.curve.map(([x, y]) => ({ x, y })),
    showLine: true,
    borderColor: colour,
    backgroundColor: colour,
    borderWidth: 2,
    radius: 0,
    hitRadius: 0,
    hoverRadius: 0,
  };
}

/** Ticks stand where something was measured. */
function alongAxis(figure: ScalingChart, theme: Theme): object {
  const every = figure.rows.flatMap((row) => row.points.map((point) => point.at));
  const places = [...new Set(every)].sort((a, b) => a - b);
  return {
    type: figure.along_axis === "log" ? "logarithmic" : "linear",
    ...roomAround(places, figure.along_axis),
    ...(figure.along_axis === "log" ? {} : { min: 0 }),
    title: titleOf(figure.along_title, theme),
    grid: { color: theme.line, drawTicks: false },
    afterBuildTicks(axis: { ticks: { value: number }[] }): void {
      axis.ticks = places.map((value) => ({ value }));
    },
    ticks: { color: theme.soft, callback: (value: number) => tickText(value) },
  };
}

/** A dashed line down from each peak and knee of a curve, with its words at the foot. */
function peaks(rows: ScalingRow[], theme: Theme): Plugin {
  return {
    id: "peaks",
    afterDatasetsDraw(chart: Chart): void {
      const { ctx, chartArea: area } = chart;
      ctx.save();
      ctx.font = `11px ${theme.font}`;
      ctx.textBaseline = "bottom";
      ctx.setLineDash([4, 4]);
      rows.forEach((row, line) => {
        for (const mark of row.marks) {
          const x = chart.scales["x"]?.getPixelForValue(mark.at) ?? 0;
          const y = chart.scales["y"]?.getPixelForValue(mark.shown) ?? 0;
          ctx.strokeStyle = theme.series(row.slot);
          ctx.beginPath();
          ctx.moveTo(x, y);
          ctx.lineTo(x, area.bottom);
          ctx.stroke();
          ctx.fillStyle = theme.ink;
          // at the foot, where no curve is; those of different lines above each other
          const room = area.right - x > ctx.measureText(mark.text).width + GAP;
          ctx.textAlign = room ? "left" : "right";
          ctx.fillText(mark.text, room ? x + GAP : x - GAP, area.bottom - GAP - line * HEIGHT);
        }
      });
      ctx.restore();
    },
  };
}

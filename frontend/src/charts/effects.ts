import { CategoryScale, type Chart, LinearScale, type Plugin, PointElement, Tooltip } from "chart.js";
import { PointWithErrorBar, ScatterWithErrorBarsController } from "chartjs-chart-error-bars";
import { labelAxis, valueAxis } from "./axes";
import { baselineMark, SHAPES } from "./marks";
import type { Kind } from "./plot";
import type { Theme } from "./theme";
import { tooltipOf } from "./tooltip";
import type { EffectRow, EffectsChart } from "./view";

/** The mean of all levels, in percent of itself. */
const MEAN = 100;

/** Draws each level of each factor beside the mean of all levels, with its interval. */
export const effects: Kind<EffectsChart> = {
  parts: [
    CategoryScale,
    LinearScale,
    PointElement,
    PointWithErrorBar,
    ScatterWithErrorBarsController,
    Tooltip,
  ],
  configure,
};

function configure(figure: EffectsChart, _element: HTMLElement, theme: Theme): object {
  const { rows } = figure;
  const held = rows.flatMap((row) => [row.low, row.high]);
  const [lowest, highest] = [Math.min(MEAN, ...held), Math.max(MEAN, ...held)];
  const room = Math.max(1, (highest - lowest) / 12);
  return {
    type: "scatterWithErrorBars",
    data: {
      labels: rows.map((_, index) => String(index)),
      datasets: [
        {
          data: rows.map((row, y) => ({ x: row.shown, y, xMin: row.low, xMax: row.high })),
          radius: 5,
          pointStyle: rows.map((row) => SHAPES[row.slot % SHAPES.length]),
          backgroundColor: rows.map((row) => theme.series(row.slot)),
          borderColor: rows.map((row) => theme.series(row.slot)),
          errorBarColor: theme.ink,
          errorBarWhiskerColor: theme.ink,
          errorBarLineWidth: 1.5,
          errorBarWhiskerLineWidth: 1.5,
          errorBarWhiskerSize: 10,
        },
      ],
    },
    options: {
      indexAxis: "y",
      animation: false,
      maintainAspectRatio: false,
      interaction: { mode: "nearest", axis: "y", intersect: false },
      scales: {
        // a share has no length that must begin at zero
        x: {
          ...valueAxis(figure, held, theme),
          beginAtZero: false,
          suggestedMin: Math.max(0, lowest - room),
          suggestedMax: highest + room,
        },
        y: { ...labelAxis(rows.map((row) => row.label), theme) },
      },
      plugins: {
        legend: { display: false },
        tooltip: tooltipOf({
          title: ([item]) => (item ? (rows[item.dataIndex]?.label ?? "") : ""),
          label: (item) => readout(rows[item.dataIndex]),
        }),
      },
    },
    plugins: [baselineMark(MEAN, theme), between(rows, theme)],
  };
}

function readout(row: EffectRow | undefined): string[] {
  return row ? [`n: ${row.n}`, row.text] : [];
}

/** A line between the levels of one factor and those of the next. */
function between(rows: EffectRow[], theme: Theme): Plugin {
  return {
    id: "between",
    beforeDatasetsDraw(chart: Chart): void {
      const { ctx, chartArea: area } = chart;
      const scale = chart.scales["y"];
      if (!scale) return;
      ctx.save();
      ctx.strokeStyle = theme.line;
      rows.forEach((row, index) => {
        if (index === 0 || rows[index - 1]?.factor === row.factor) return;
        const y = (scale.getPixelForValue(index - 1) + scale.getPixelForValue(index)) / 2;
        ctx.beginPath();
        ctx.moveTo(0, y);
        ctx.lineTo(area.right, y);
        ctx.stroke();
      });
      ctx.restore();
    },
  };
}

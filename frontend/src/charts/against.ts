import { type Chart, Legend, LinearScale, LineElement } from "chart.js";
import { LogarithmicScale, PointElement, Tooltip } from "chart.js";
import { PointWithErrorBar, ScatterWithErrorBarsController } from "chartjs-chart-error-bars";
import { valueAxis } from "./axes";
import { type Part, wholeOf } from "./figure";
import { legendOf } from "./legend";
import { endNames, lineEnds, roomFor } from "./line-ends";
import { dataset, heldBy } from "./lines";
import type { Kind } from "./plot";
import { againstOf, type Line, linesOf } from "./series";
import type { Theme } from "./theme";
import { tooltip } from "./tooltip";
import type { ChartFigure } from "./view";

const ABOVE = 3;
const BESIDE = 7;

/** Draws what more speed costs: latency against the rate, a point for each value of the factor. */
export const against: Kind<Part> = {
  parts: [
    Legend,
    LinearScale,
    LineElement,
    LogarithmicScale,
    PointElement,
    PointWithErrorBar,
    ScatterWithErrorBarsController,
    Tooltip,
  ],
  configure,
};

function configure(figure: Part, element: HTMLElement, theme: Theme): object {
  const latency = figure.latency ?? figure;
  const lines = againstOf(figure, latency);
  const ends = endNames(lines.map((line) => line.label), element);
  const whole = wholeOf(figure);
  const all = linesOf(whole);
  const rates = heldBy(all);
  return {
    type: "scatterWithErrorBars",
    data: {
      datasets: lines.map((line) => ({ ...dataset(line, all, theme), showLine: true })),
    },
    options: {
      animation: false,
      maintainAspectRatio: false,
      layout: { padding: { right: roomFor(ends) } },
      scales: {
        x: valueAxis({ ...figure, axis_title: figure.rate_title }, rates, theme),
        y: valueAxis(latency, heldBy(againstOf(whole, whole.latency ?? whole)), theme),
      },
      interaction: { mode: "nearest", intersect: false },
      plugins: {
        legend: legendOf(lines.length, theme, { ends }),
        tooltip: tooltip(
          figure,
          (item) => lines[item.datasetIndex]?.points[item.dataIndex]?.row ?? 0,
        ),
      },
    },
    plugins: [lineEnds(ends, theme), alongTexts(figure, lines, theme)],
  };
}

/** Beside each point, where rising lines leave room, the value of the factor that it was measured at. */
function alongTexts(figure: ChartFigure, lines: Line[], theme: Theme): object {
  return {
    id: "along",
    afterDatasetsDraw(chart: Chart): void {
      const { ctx } = chart;
      ctx.save();
      ctx.textAlign = "right";
      ctx.textBaseline = "bottom";
      ctx.font = `11px ${theme.font}`;
      ctx.fillStyle = theme.soft;
      for (const point of lines.flatMap((line) => line.points)) {
        const x = chart.scales["x"]?.getPixelForValue(point.x) ?? 0;
        const y = chart.scales["y"]?.getPixelForValue(point.y) ?? 0;
        ctx.fillText(figure.rows[point.row]?.at[figure.along ?? 0]?.text ?? "", x - BESIDE, y - ABOVE);
      }
      ctx.restore();
    },
  };
}

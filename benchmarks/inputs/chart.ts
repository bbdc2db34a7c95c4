import { BarElement, CategoryScale, Chart, LinearScale, LogarithmicScale, Tooltip } from "chart.js";
import { BarWithErrorBar, BarWithErrorBarsController } from "chartjs-chart-error-bars";

// what else our script takes of Chart.js, its plugins and nothing of ours: as many bytes to fetch and to compile
export { BoxAndWiskers, BoxPlotController } from "@sgratzl/chartjs-chart-boxplot";
export { Legend, LineController, LineElement, PointElement } from "chart.js";
export { LineWithErrorBarsController, PointWithErrorBar } from "chartjs-chart-error-bars";
export { ScatterWithErrorBarsController } from "chartjs-chart-error-bars";
export { MatrixController, MatrixElement } from "chartjs-chart-matrix";

Chart.register(
  BarElement,
  BarWithErrorBar,
  BarWithErrorBarsController,
  CategoryScale,
  LinearScale,
  LogarithmicScale,
  Tooltip,
);

/** Twelve bars with intervals, as Chart.js draws them by itself into the room that they have. */
const labels = Array.from({ length: 12 }, (_, index) => `stripe cache ${2 ** (8 + index)}`);
const data = labels.map((label, index) => ({ y: label, x: 60 + index, xMin: 55 + index, xMax: 66 + index }));
const canvas = document.querySelector("canvas") as HTMLCanvasElement;
(canvas.parentElement as HTMLElement).style.cssText = "width: 640px; height: 460px";
const chart: object = {
  type: "barWithErrorBars",
  data: { labels, datasets: [{ data }] },
  options: { indexAxis: "y", animation: false, maintainAspectRatio: false },
};
new Chart(canvas, chart as never);

import { BarController, BarElement, CategoryScale, Chart, LinearScale, Tooltip } from "chart.js";

Chart.register(BarController, BarElement, CategoryScale, LinearScale, Tooltip);

/** Twelve bars, as Chart.js draws them by itself. */
const labels = Array.from({ length: 12 }, (_, index) => `stripe cache ${2 ** (8 + index)}`);
const data = labels.map((_, index) => 60 + index);
new Chart(document.querySelector("canvas") as HTMLCanvasElement, {
  type: "bar",
  data: { labels, datasets: [{ data }] },
  options: { indexAxis: "y", animation: false, responsive: false },
});

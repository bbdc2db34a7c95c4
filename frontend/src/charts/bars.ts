import {
  BarElement,
  CategoryScale,
  Chart,
  type ChartConfiguration,
  LinearScale,
  LogarithmicScale,
  Tooltip,
} from "chart.js";
import { BarWithErrorBar, BarWithErrorBarsController } from "chartjs-chart-error-bars";
import { type Figure, figureOf } from "./figure";
import { lengthOf, wrapped } from "./labels";
import { baselineMark, dotMarks, endMarks } from "./marks";
import { fillOf } from "./patterns";
import { decadeBelow, extent, type Series, seriesOf } from "./series";
import { onThemeChange, type Theme, themeOf } from "./theme";

Chart.register(
  BarElement,
  BarWithErrorBar,
  BarWithErrorBarsController,
  CategoryScale,
  LinearScale,
  LogarithmicScale,
  Tooltip,
);

const LETTER = 6.4;
const BOLD_LETTER = 7.8;
const LABEL_SHARE = 0.4;
const MOST_LABEL = 40;
const NARROW = 480;

/** Draws a figure's medians as bars with intervals, and its single runs as dots. */
export function attach(element: HTMLElement): void {
  const plot = element.querySelector<HTMLElement>("[data-plot]");
  if (!plot) throw new Error("A figure of bars has no place for its plot.");
  const figure = figureOf(element);
  const canvas = plot.appendChild(document.createElement("canvas"));
  // people who don't see it have the table
  canvas.ariaHidden = "true";
  const draw = (): Chart => new Chart(canvas, configuration(figure, element, themeOf(plot)));
  let chart = draw();
  onThemeChange(() => {
    chart.destroy();
    chart = draw();
  });
}

function configuration(figure: Figure, element: HTMLElement, theme: Theme): ChartConfiguration {
  const series = seriesOf(figure);
  const longest = Math.max(...figure.rows.map((row) => lengthOf(row.text)));
  return {
    type: "barWithErrorBars",
    data: { labels: figure.rows.map((_, index) => String(index)), datasets: datasets(figure, series, theme) },
    options: {
      indexAxis: "y",
      animation: false,
      maintainAspectRatio: false,
      layout: { padding: { right: longest * BOLD_LETTER + 14 } },
      font: { family: theme.font },
      scales: { x: valueAxis(figure, series, theme), y: labelAxis(figure, theme) },
      interaction: { mode: "y", intersect: false },
      plugins: { tooltip: tooltip(figure, element) },
    },
    plugins: [baselineMark(series, theme), dotMarks(series, theme), endMarks(figure, series, theme)],
  } as ChartConfiguration;
}

function datasets(figure: Figure, series: Series, theme: Theme): unknown[] {
  return [
    {
      data: series.bars,
      backgroundColor: figure.rows.map((row) => fillOf(row.slot, theme.series(row.slot), theme.surface)),
      maxBarThickness: 20,
      borderRadius: 2,
      minBarLength: 1,
      errorBarColor: theme.ink,
      errorBarWhiskerColor: theme.ink,
      errorBarLineWidth: 1.5,
      errorBarWhiskerLineWidth: 1.5,
      errorBarWhiskerRatio: 0.45,
    },
  ];
}

function valueAxis(figure: Figure, series: Series, theme: Theme): unknown {
  const log = figure.axis === "log";
  return {
    type: log ? "logarithmic" : "linear",
    // the dots are no dataset: the axis must be told of them
    suggestedMax: Math.max(...extent(series)),
    ...(log ? { min: decadeBelow(extent(series)) } : { beginAtZero: true }),
    title: { display: figure.axis_title !== "", text: figure.axis_title, color: theme.soft },
    grid: { color: theme.line, drawTicks: false },
    border: { display: false },
    ticks: {
      color: theme.soft,
      maxTicksLimit: 7,
      maxRotation: 0,
      callback: (value: number) => (log && !isDecade(value) ? null : tickText(value)),
    },
  };
}

function labelAxis(figure: Figure, theme: Theme): unknown {
  return {
    grid: { display: false },
    border: { color: theme.line },
    ticks: {
      color: theme.ink,
      autoSkip: false,
      font: ({ chart }: { chart: Chart }) => ({ size: chart.width < NARROW ? 11 : 12 }),
      callback(this: { chart: Chart }, _value: unknown, index: number): string[] {
        const width = (this.chart.width * LABEL_SHARE) / LETTER;
        return wrapped(figure.rows[index]?.label ?? "", Math.min(MOST_LABEL, Math.max(10, width)));
      },
    },
  };
}

/** The tooltip reads out the row of the table: one source of words and numbers. */
function tooltip(figure: Figure, element: HTMLElement): unknown {
  const cells = (index: number): string[] => {
    const table = element.querySelector("table");
    const heads = Array.from(table?.tHead?.rows[0]?.cells ?? [], textOf);
    const row = Array.from(table?.tBodies[0]?.rows[index]?.cells ?? [], textOf);
    return row.slice(1).map((text, place) => `${heads[place + 1] ?? ""}: ${text}`);
  };
  return {
    displayColors: false,
    callbacks: {
      title: (items: { parsed: { y: number } }[]) => figure.rows[items[0]?.parsed.y ?? 0]?.label ?? "",
      label: (item: { parsed: { y: number } }) => cells(item.parsed.y),
    },
  };
}

function textOf(cell: HTMLTableCellElement): string {
  return cell.innerText.replace(/\s+/g, " ").trim();
}

function isDecade(value: number): boolean {
  return Number.isInteger(Math.round(Math.log10(value) * 1e6) / 1e6);
}

function tickText(value: number): string {
  return value.toLocaleString(document.documentElement.lang, {
    maximumSignificantDigits: 4,
    notation: Math.abs(value) < 10_000 ? "standard" : "compact",
  });
}

import {
  Chart,
  Legend,
  LinearScale,
  LineController,
  LineElement,
  PointElement,
  Tooltip,
} from "chart.js";
import { prefixed, textOf, tickText, titleOf } from "./axes";
import { onThemeChange, theme } from "./theme";

/** [step, operation, metric, seconds, value in the base unit] */
export type Row = [number, string, string, number, number];

/** `anew`: these are all, not the next. */
export interface LivePoints {
  anew: boolean;
  points: Row[];
}

interface Words {
  metrics: Record<string, { title: string; unit: string; factor: number }>;
  operations: Record<string, string>;
  steps: Record<string, string>;
  seconds: string;
}

interface Series {
  label: string;
  points: { x: number; y: number }[];
}

const REDRAW_MS = 400;

/** What a running tool prints, a chart for each metric. */
export class LiveCharts {
  private readonly words: Words;
  private readonly series = new Map<string, Map<string, Series>>();
  private readonly charts = new Map<string, Chart>();
  private waiting: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly place: HTMLElement) {
    Chart.register(Legend, LinearScale, LineController, LineElement, PointElement, Tooltip);
    this.words = JSON.parse(place.querySelector("script")!.textContent!) as Words;
    onThemeChange(() => {
      for (const chart of this.charts.values()) chart.destroy();
      this.charts.clear();
      this.draw();
    });
  }

  take({ anew, points }: LivePoints): void {
    if (anew) this.series.clear();
    for (const row of points) this.add(row);
    this.waiting ??= setTimeout(() => {
      this.waiting = undefined;
      this.draw();
    }, REDRAW_MS);
  }

  private add([step, operation, metric, seconds, value]: Row): void {
    const known = this.words.metrics[metric];
    if (!known) return;
    const all = this.series.get(metric) ?? new Map<string, Series>();
    this.series.set(metric, all);
    const key = `${step} ${operation}`;
    const series = all.get(key) ?? { label: this.label(step, operation), points: [] };
    all.set(key, series);
    series.points.push({ x: seconds, y: value / known.factor });
  }

  private label(step: number, operation: string): string {
    const several = Object.keys(this.words.steps).length > 1;
    const words = this.words.operations[operation] ?? operation;
    return several ? `${this.words.steps[step] ?? step} · ${words}` : words;
  }

  private draw(): void {
    for (const [metric, all] of this.series) {
      this.place.hidden = false;
      const chart = this.charts.get(metric) ?? this.chart(metric);
      const { series: colour } = theme();
      const { name, factor } = this.unitOf(metric, all);
      Object.assign(chart.options.scales!["y"]!, { title: titleOf(name, theme()) });
      chart.data.datasets = Array.from(all.values(), (series, slot) => ({
        label: series.label,
        data: series.points.map(({ x, y }) => ({ x, y: y / factor })),
        borderColor: colour(slot),
        backgroundColor: colour(slot),
        borderWidth: 2,
        pointRadius: 0,
      }));
      chart.update("none");
      this.announce(metric, all);
    }
  }

  /** That of all lines of a chart: the one that suits the largest of their values. */
  private unitOf(metric: string, all: Map<string, Series>): { name: string; factor: number } {
    let largest = 0;
    for (const { points } of all.values()) for (const { y } of points) largest = Math.max(largest, y);
    return prefixed(this.words.metrics[metric]!.unit, largest);
  }

  /** The newest values in words, for people who don't see the chart. */
  private announce(metric: string, all: Map<string, Series>): void {
    const { name, factor } = this.unitOf(metric, all);
    const text = (value: number): string => textOf(name)(value < 1000 ? Number(value.toPrecision(3)) : value);
    const parts = Array.from(all.values(), ({ label, points }) => {
      return `${label} ${text((points.at(-1)?.y ?? 0) / factor)} ${name}`;
    });
    this.place.querySelector(`[data-metric="${metric}"] [data-newest]`)!.textContent = parts.join(" · ");
  }

  private chart(metric: string): Chart {
    const { title } = this.words.metrics[metric]!;
    const { ink, line, soft, font } = theme();
    Chart.defaults.font.family = font;
    const figure = this.figure(metric, title);
    const axis = { grid: { color: line, drawTicks: false }, border: { display: false } };
    const ticks = { color: soft, maxTicksLimit: 7, maxRotation: 0 };
    const callback = (value: number | string): string => tickText(Number(value));
    const chart = new Chart(figure.querySelector("canvas")!, {
      type: "line",
      data: { datasets: [] },
      options: {
        animation: false,
        maintainAspectRatio: false,
        interaction: { mode: "nearest", axis: "x", intersect: false },
        scales: {
          x: { type: "linear", min: 0, ...axis, ticks, title: titleOf(this.words.seconds, theme()) },
          y: { beginAtZero: true, ...axis, ticks: { ...ticks, callback } },
        },
        plugins: { legend: { labels: { color: ink, boxHeight: 2 } } },
      },
    });
    this.charts.set(metric, chart);
    return chart;
  }

  private figure(metric: string, title: string): HTMLElement {
    const there = this.place.querySelector<HTMLElement>(`[data-metric="${metric}"]`);
    if (there) return there;
    const template = this.place.querySelector("template")!;
    const figure = template.content.firstElementChild!.cloneNode(true) as HTMLElement;
    figure.dataset["metric"] = metric;
    figure.querySelector("[data-title]")!.textContent = title;
    this.place.append(figure);
    return figure;
  }
}

import { Chart, type ChartComponentLike, type ChartConfiguration } from "chart.js";
import { type Drawable, figureOf } from "./figure";
import type { ChartIn } from "./frame";
import { panelIn } from "./tooltip-panel";
import { offerPictures } from "./picture";
import { onThemeChange, type Theme, theme } from "./theme";
import { turn } from "./draw-queue";
import { walk } from "./arrow-keys";
import { offerZoom } from "./zoom";

/** A kind of chart: what it takes of Chart.js, and what it makes of a figure. */
export interface Kind<Data extends Drawable = Drawable> {
  parts: ChartComponentLike[];
  /** `element` has the table beside the chart. */
  configure(figure: Data, element: HTMLElement, theme: Theme): object;
}

const registered = new Set<Kind>();

/** Draws the figure in `element`, and again whenever the theme changes. */
export async function plot(element: HTMLElement, kind: Kind): Promise<void> {
  const place = element.querySelector<HTMLElement>("[data-plot]");
  if (!place) throw new Error("A figure announces a chart and has no place for it.");
  await turn();
  register(kind);
  const figure = figureOf(element);
  const canvas = place.appendChild(document.createElement("canvas"));
  // people who don't see it have the table, and the words of each point
  canvas.ariaHidden = "true";
  const chartIn: ChartIn = (look) => kind.configure(figure, element, look) as ChartConfiguration<"bar">;
  Chart.defaults.font.family = theme().font;
  const drawn = (): Chart => new Chart(canvas, chartIn(theme())) as Chart;
  let chart = drawn();
  onThemeChange(() => {
    chart.destroy();
    chart = drawn();
  });
  offerZoom(element, place, () => chart);
  walk(place, () => chart);
  panelIn(place);
  offerPictures(element, figure, canvas, chartIn);
}

/** With the first of its kind: what no chart of a page uses costs it nothing. */
function register(kind: Kind): void {
  if (registered.has(kind)) return;
  registered.add(kind);
  Chart.register(...kind.parts);
}

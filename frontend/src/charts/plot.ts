import { Chart, type ChartConfiguration } from "chart.js";
import { type Drawable, figureOf } from "./figure";
import { offerPictures, type Told } from "./picture";
import { onThemeChange, type Theme, theme } from "./theme";
import { turn } from "./turns";
import { walk } from "./walk";

/** What a kind of chart makes of a figure; `element` has the table beside it. */
export type Configure<Data> = (figure: Data, element: HTMLElement, theme: Theme) => unknown;

/** Draws the figure in `element` by `configure`, and again whenever the theme changes. */
export async function plot<Data extends Drawable>(
  element: HTMLElement,
  configure: Configure<Data>,
): Promise<void> {
  const place = element.querySelector<HTMLElement>("[data-plot]");
  if (!place) throw new Error("A figure announces a chart and has no place for it.");
  await turn();
  const figure = figureOf<Data>(element);
  const canvas = place.appendChild(document.createElement("canvas"));
  // people who don't see it have the table, and the words of each point
  canvas.ariaHidden = "true";
  const told: Told = (look) => configure(figure, element, look) as ChartConfiguration<"bar">;
  Chart.defaults.font.family = theme().font;
  let chart = new Chart(canvas, told(theme()));
  onThemeChange(() => {
    chart.destroy();
    chart = new Chart(canvas, told(theme()));
  });
  walk(place, () => chart);
  offerPictures(element, figure, canvas, told);
}

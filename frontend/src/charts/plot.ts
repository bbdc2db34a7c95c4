import { Chart, type ChartConfiguration } from "chart.js";
import { type Drawable, figureOf } from "./figure";
import { picture, save, wordsOf } from "./picture";
import { onThemeChange, type Theme, themeOf } from "./theme";

/** What a kind of chart makes of a figure; `element` has the table beside it. */
export type Configure<Data> = (figure: Data, element: HTMLElement, theme: Theme) => unknown;

/** Draws the figure in `element` by `configure`, and again whenever the theme changes. */
export function plot<Data extends Drawable>(
  element: HTMLElement,
  configure: Configure<Data>,
): void {
  const place = element.querySelector<HTMLElement>("[data-plot]");
  if (!place) throw new Error("A figure announces a chart and has no place for it.");
  const figure = figureOf<Data>(element);
  const canvas = place.appendChild(document.createElement("canvas"));
  // people who don't see it have the table
  canvas.ariaHidden = "true";
  const draw = (): Chart =>
    new Chart(canvas, configure(figure, element, themeOf(place)) as ChartConfiguration<"bar">);
  let chart = draw();
  onThemeChange(() => {
    chart.destroy();
    chart = draw();
  });
  offerPicture(element, figure, canvas, place);
}

function offerPicture(
  element: HTMLElement,
  figure: Drawable,
  canvas: HTMLCanvasElement,
  place: HTMLElement,
): void {
  const button = element.querySelector<HTMLButtonElement>("[data-picture]");
  if (!button) return;
  button.hidden = false;
  button.addEventListener("click", () => {
    const counts = figure.rows.map((row) => row.n);
    const words = wordsOf(element, counts, location.href, new Date());
    save(picture(canvas, words, themeOf(place)), `${figure.measure}.png`);
  });
}

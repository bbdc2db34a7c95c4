import { LiveCharts, type Told } from "./charts/live";

/** Draws the points that the page brought along, as a job's page draws those that it is told. */
export function attach(element: HTMLElement): void {
  const [, points] = element.querySelectorAll("script");
  new LiveCharts(element).take(JSON.parse(points!.textContent!) as Told);
}

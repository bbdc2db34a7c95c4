import type { Told } from "./charts/live";

/** Draws the points that the page brought along, as a job's page draws those that it is told. */
export async function attach(element: HTMLElement): Promise<void> {
  const { LiveCharts } = await import("./charts/all");
  const [, points] = element.querySelectorAll("script");
  new LiveCharts(element).take(JSON.parse(points!.textContent!) as Told);
}

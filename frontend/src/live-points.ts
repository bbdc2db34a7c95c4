import type { LivePoints } from "./charts/live";

/** Draws points that are in the page already, as a job's page draws those that arrive while it runs. */
export async function attach(element: HTMLElement): Promise<void> {
  const { LiveCharts } = await import("./charts/all");
  const [, points] = element.querySelectorAll("script");
  new LiveCharts(element).take(JSON.parse(points!.textContent!) as LivePoints);
}

/** A chart module draws into the figure that announced it by `data-chart`. */
export interface ChartModule {
  attach(figure: HTMLElement): void | Promise<void>;
}

/** Chart modules by the name in `data-chart`, loaded when a page first shows one. */
export type Charts = Record<string, () => Promise<ChartModule>>;

/** Attaches each announced chart below `root` once; a name without a module is a bug, and loud. */
export async function attachCharts(root: ParentNode, charts: Charts): Promise<void> {
  const figures = root.querySelectorAll<HTMLElement>("[data-chart]:not([data-attached])");
  await Promise.all(Array.from(figures, (figure) => attachOne(figure, charts)));
}

async function attachOne(figure: HTMLElement, charts: Charts): Promise<void> {
  const name = figure.dataset["chart"] ?? "";
  const load = charts[name];
  if (!load) throw new Error(`No chart module is named "${name}".`);
  figure.dataset["attached"] = "";
  await (await load()).attach(figure);
}

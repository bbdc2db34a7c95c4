import type { ActiveElement, Chart } from "chart.js";

type Place = Pick<ActiveElement, "datasetIndex" | "index">;

/** Arrow keys go from point to point of a chart, and what is under them is read out. */
export function walk(place: HTMLElement, chartOf: () => Chart): void {
  const readout = place.appendChild(document.createElement("p"));
  readout.className = "visually-hidden";
  readout.role = "status";
  let at: Place | undefined;
  const show = (next: Place | undefined): void => {
    at = next;
    readout.textContent = point(chartOf(), next);
  };
  place.addEventListener("keydown", (event) => {
    const next = event.key === "Escape" ? undefined : step(chartOf(), at, event.key);
    if (event.key !== "Escape" && !next) return;
    event.preventDefault();
    show(next);
  });
  place.addEventListener("blur", () => show(undefined));
}

/** Where a key leads to from `at`; undefined for a key that leads nowhere. */
export function step(chart: Chart, at: Place | undefined, key: string): Place | undefined {
  const lines = placesOf(chart);
  const line = Math.max(0, lines.findIndex((places) => places[0]?.datasetIndex === at?.datasetIndex));
  const own = lines[line] ?? [];
  const nth = at ? own.findIndex((one) => one.index === at.index) : -1;
  const along = (move: number): Place | undefined =>
    own[Math.min(own.length - 1, Math.max(0, nth + move))];
  const across = (move: number): Place | undefined => {
    if (lines.length < 2) return along(move);
    const other = lines[(line + move + lines.length) % lines.length] ?? [];
    return other[Math.min(other.length - 1, Math.max(0, nth))];
  };
  const moves: Record<string, () => Place | undefined> = {
    ArrowRight: () => along(1),
    ArrowLeft: () => along(-1),
    ArrowDown: () => across(1),
    ArrowUp: () => across(-1),
    Home: () => own[0],
    End: () => own.at(-1),
  };
  return moves[key]?.();
}

/** The points that are drawn, by dataset. */
function placesOf(chart: Chart): Place[][] {
  const every = chart.data.datasets.map((_, datasetIndex) =>
    chart
      .getDatasetMeta(datasetIndex)
      .data.flatMap((element, index) =>
        Number.isFinite(element.x) && Number.isFinite(element.y) ? [{ datasetIndex, index }] : [],
      ),
  );
  return every.filter((places) => places.length > 0);
}

/** Points at a place, as a mouse would, and gives its words. */
function point(chart: Chart, at: Place | undefined): string {
  const element = at && chart.getDatasetMeta(at.datasetIndex).data[at.index];
  const { tooltip } = chart;
  chart.setActiveElements(at ? [at] : []);
  tooltip?.setActiveElements(at ? [at] : [], { x: element?.x ?? 0, y: element?.y ?? 0 });
  chart.update("none");
  if (!at || !tooltip) return "";
  return [...tooltip.title, ...tooltip.body.flatMap((part) => part.lines)].join(", ");
}

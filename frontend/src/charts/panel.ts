import type { Chart, TooltipModel } from "chart.js";
import { MOST_LINKED } from "./view";

const MARGIN = 8;
const DISTANCE = 12;

interface Panel {
  box: HTMLElement;
  /** Said by a click, which may come a frame before the chart tells what is there. */
  kept: boolean;
}

const panels = new WeakMap<HTMLElement, Panel>();

/** What a point says, as a part of the page: a click or Enter keeps it, so that its links are reached. */
export function tell(chart: Chart, tooltip: TooltipModel<"bar">, runs: number[]): void {
  const place = chart.canvas.parentElement;
  if (!place) return;
  const panel = panelIn(place);
  if (panel.kept && !panel.box.hidden) return;
  panel.box.hidden = tooltip.opacity === 0;
  if (panel.box.hidden) return;
  const title = document.createElement("b");
  title.textContent = tooltip.title.join(" ");
  panel.box.replaceChildren(
    title,
    ...tooltip.body.flatMap((part) => part.lines).map(said),
    ...linked(place, runs),
  );
  settle(panel.box, place, tooltip);
}

function said(words: string): HTMLElement {
  const line = document.createElement("span");
  line.textContent = words;
  return line;
}

function linked(place: HTMLElement, runs: number[]): HTMLElement[] {
  const address = place.dataset["run"];
  if (!address || runs.length === 0) return [];
  const line = said(`${place.dataset["runs"] ?? ""}: `);
  for (const run of runs.slice(0, MOST_LINKED)) {
    const link = document.createElement("a");
    link.href = address.replace(/0(?=\/$)/, String(run));
    link.textContent = `#${run}`;
    line.append(link, " ");
  }
  if (runs.length > MOST_LINKED) line.append("…");
  return [line];
}

/** Below the point or above it, on the side where there is room. */
function settle(box: HTMLElement, place: HTMLElement, point: { caretX: number; caretY: number }): void {
  const most = place.clientWidth - box.offsetWidth - MARGIN;
  const left = Math.max(MARGIN, Math.min(most, point.caretX + DISTANCE));
  const isLow = point.caretY > place.clientHeight / 2;
  const top = isLow ? point.caretY - box.offsetHeight - DISTANCE : point.caretY + DISTANCE;
  box.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
}

/** The panel of a chart's place, there before the first tap, which shows and keeps it in one. */
export function panelIn(place: HTMLElement): Panel {
  return panels.get(place) ?? added(place);
}

function added(place: HTMLElement): Panel {
  const box = document.createElement("div");
  box.className = "told-point";
  box.hidden = true;
  place.append(box);
  const panel: Panel = { box, kept: false };
  panels.set(place, panel);
  const keep = (kept: boolean): void => {
    panel.kept = kept;
    box.classList.toggle("kept", kept);
    if (!kept) box.hidden = true;
  };
  place.addEventListener("click", (event) => {
    if (box.contains(event.target as Node)) return;
    keep(!panel.kept);
    // by then the chart has told, where there is something
    requestAnimationFrame(() => box.hidden && keep(false));
  });
  place.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      keep(false);
      place.focus();
    } else if (event.key === "Enter" && event.target === place && !box.hidden) {
      keep(true);
      box.querySelector("a")?.focus();
    }
  });
  document.addEventListener("pointerdown", (event) => {
    if (panel.kept && !place.contains(event.target as Node)) keep(false);
  });
  return panel;
}

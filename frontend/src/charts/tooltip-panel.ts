import type { Chart, TooltipModel } from "chart.js";
import { MOST_LINKED } from "./view";

const MARGIN = 8;
const DISTANCE = 12;

interface Panel {
  box: HTMLElement;
  /** Set by a click, which may come a frame before the chart has its words for the point. */
  pinned: boolean;
}

const panels = new WeakMap<HTMLElement, Panel>();

/** The words of a point, as a part of the page: a click or Enter pins them, so that its links are reached. */
export function showPanel(chart: Chart, tooltip: TooltipModel<"bar">, runs: number[]): void {
  const place = chart.canvas.parentElement;
  if (!place) return;
  const panel = panelIn(place);
  if (panel.pinned && !panel.box.hidden) return;
  panel.box.hidden = tooltip.opacity === 0;
  if (panel.box.hidden) return;
  const title = document.createElement("b");
  title.textContent = tooltip.title.join(" ");
  panel.box.replaceChildren(
    title,
    ...tooltip.body.flatMap((part) => part.lines).map(lineOf),
    ...linked(place, runs),
  );
  settle(panel.box, place, tooltip);
}

function lineOf(words: string): HTMLElement {
  const line = document.createElement("span");
  line.textContent = words;
  return line;
}

function linked(place: HTMLElement, runs: number[]): HTMLElement[] {
  const address = place.dataset["run"];
  if (!address || runs.length === 0) return [];
  const line = lineOf(`${place.dataset["runs"] ?? ""}: `);
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

/** The panel of a chart's place, there before the first tap, which shows and pins it in one. */
export function panelIn(place: HTMLElement): Panel {
  return panels.get(place) ?? added(place);
}

function added(place: HTMLElement): Panel {
  const box = document.createElement("div");
  box.className = "tooltip-panel";
  box.hidden = true;
  place.append(box);
  const panel: Panel = { box, pinned: false };
  panels.set(place, panel);
  const pin = (pinned: boolean): void => {
    panel.pinned = pinned;
    box.classList.toggle("pinned", pinned);
    if (!pinned) box.hidden = true;
  };
  place.addEventListener("click", (event) => {
    if (box.contains(event.target as Node)) return;
    pin(!panel.pinned);
    // by then the chart has filled it, where there is something
    requestAnimationFrame(() => box.hidden && pin(false));
  });
  place.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      pin(false);
      place.focus();
    } else if (event.key === "Enter" && event.target === place && !box.hidden) {
      pin(true);
      box.querySelector("a")?.focus();
    }
  });
  document.addEventListener("pointerdown", (event) => {
    if (panel.pinned && !place.contains(event.target as Node)) pin(false);
  });
  return panel;
}

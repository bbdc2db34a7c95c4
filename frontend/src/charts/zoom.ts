import type { Chart } from "chart.js";
import Zoom from "chartjs-plugin-zoom";

/** From one time to another, as the axis counts. */
export interface Range {
  min: number;
  max: number;
}

interface Sight {
  full: Range;
  shown: Range;
  words(at: number): string;
  seen: OnZoom;
}

/** Called with what a chart shows after each zoom. */
type OnZoom = (chart: Chart, shown: Range) => void;

const STEP = 1.6;
const PAN = 0.3;
/** Nobody looks closer than a share of the whole. */
const CLOSEST = 1 / 2000;
/** A press that moves further draws a frame, and is no click. */
const DRAGGED = 8;

/** What of each figure is in sight, which stays so when its chart is drawn anew. */
const sights = new WeakMap<HTMLElement, Sight>();

/** The axis along time of a figure that can be zoomed: `words` name a place on it. */
export function zoomedAxis(
  element: HTMLElement,
  full: Range,
  words: Sight["words"],
  seen: OnZoom = () => undefined,
): Range {
  const shown = sights.get(element)?.shown ?? full;
  sights.set(element, { full, shown, words, seen });
  return shown;
}

/** The plugin of charts that can be zoomed; `zoomOptions` are its options. */
export const zoomPlugin: typeof Zoom = {
  ...Zoom,
  start(chart, ...rest) {
    Zoom.start?.(chart, ...rest);
    // a finger scrolls the page, two zoom the chart
    chart.canvas.style.touchAction = "pan-y";
  },
};

export function zoomOptions(element: HTMLElement, full: Range, frame: string): object {
  const seen = ({ chart }: { chart: Chart }): void => look(element, chart);
  return {
    limits: { x: { ...full, minRange: (full.max - full.min) * CLOSEST } },
    pan: { enabled: true, mode: "x", modifierKey: "shift", onPan: seen },
    zoom: {
      mode: "x",
      // a wheel by itself scrolls the page
      wheel: { enabled: true, modifierKey: "ctrl" },
      pinch: { enabled: true },
      drag: {
        enabled: true,
        threshold: DRAGGED,
        backgroundColor: frame,
        // behind the lines that it is to catch
        drawTime: "beforeDatasetsDraw",
      },
      onZoom: seen,
    },
  };
}

/** What a chart shows now is kept, and read out. */
function look(element: HTMLElement, chart: Chart): void {
  const sight = sights.get(element);
  const axis = chart.scales["x"];
  if (!sight || !axis) return;
  sight.shown = { min: axis.min, max: axis.max };
  const readout = element.querySelector("[data-sight]");
  if (readout) readout.textContent = `${sight.words(axis.min)} – ${sight.words(axis.max)}`;
  sight.seen(chart, sight.shown);
}

const KEYS: Record<string, string> = { "+": "in", "=": "in", "-": "out", "0": "all" };
const SHIFTED: Record<string, string> = { ArrowLeft: "earlier", ArrowRight: "later" };

/** Buttons and keys of a figure that can be zoomed; nothing for any other. */
export function offerZoom(element: HTMLElement, place: HTMLElement, chartOf: () => Chart): void {
  const controls = element.querySelector<HTMLElement>("[data-zooms]");
  if (!controls) return;
  const act = (name: string): void => move(element, chartOf(), name);
  for (const button of controls.querySelectorAll<HTMLElement>("[data-zoom]")) {
    button.addEventListener("click", () => act(button.dataset["zoom"] ?? ""));
  }
  // before the arrows walk from point to point
  const pressed = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const name = (event.shiftKey && SHIFTED[event.key]) || KEYS[event.key];
    if (!name) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    act(name);
  };
  place.addEventListener("keydown", pressed, { capture: true });
  place.addEventListener("keyup", () => follow(element, chartOf()));
  noClickAfterDrag(place);
}

function move(element: HTMLElement, chart: Chart, name: string): void {
  const width = chart.chartArea.width;
  const moves: Record<string, () => void> = {
    in: () => chart.zoom(STEP, "none"),
    out: () => chart.zoom(1 / STEP, "none"),
    earlier: () => chart.pan({ x: width * PAN }, undefined, "none"),
    later: () => chart.pan({ x: -width * PAN }, undefined, "none"),
    all: () => chart.zoomScale("x", sights.get(element)!.full, "none"),
  };
  moves[name]?.();
  look(element, chart);
}

/** A point that arrow keys reached comes into sight. */
function follow(element: HTMLElement, chart: Chart): void {
  const [active] = chart.getActiveElements();
  const { left, right } = chart.chartArea;
  if (!active || (active.element.x >= left && active.element.x <= right)) return;
  chart.pan({ x: (left + right) / 2 - active.element.x }, undefined, "none");
  look(element, chart);
  const { x, y } = active.element;
  chart.tooltip?.setActiveElements([active], { x, y });
  chart.update("none");
}

/** Who drags a frame does not mean the point under its end. */
function noClickAfterDrag(place: HTMLElement): void {
  let from = 0;
  place.addEventListener("pointerdown", (event) => void (from = event.clientX));
  const clicked = (event: MouseEvent): void => {
    if (event.detail && Math.abs(event.clientX - from) >= DRAGGED) event.stopImmediatePropagation();
  };
  place.addEventListener("click", clicked, { capture: true });
}

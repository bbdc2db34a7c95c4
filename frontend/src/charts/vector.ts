import { BasicPlatform, Chart } from "chart.js";
import { Context, Element } from "svgcanvas";
import { SIZE, type Tiles } from "./patterns";
import { type Frame, heightOf, LINE, MARGIN, TITLE, type Told } from "./picture";
import type { Theme } from "./theme";

const SVG = "http://www.w3.org/2000/svg";

/** The chart as lines and letters, with its words on a ground of its own: the text of an SVG. */
export function vector(frame: Frame, told: Told, look: Theme): string {
  const [width, height] = [frame.width + 2 * MARGIN, heightOf(frame)];
  const root = add(null, "svg", { xmlns: SVG, width, height, viewBox: `0 0 ${width} ${height}` });
  root.setAttribute("font-family", look.font);
  add(root, "title", {}).textContent = frame.title;
  add(root, "rect", { width, height, fill: look.surface });
  const head = { x: MARGIN, y: MARGIN + 13, "font-size": 15, "font-weight": 600, fill: look.ink };
  add(root, "text", head).textContent = frame.title;
  const inner = drawn(frame, told, look);
  inner.setAttribute("x", String(MARGIN));
  inner.setAttribute("y", String(MARGIN + TITLE));
  root.append(inner);
  frame.foot.forEach((line, index) => {
    const y = MARGIN + TITLE + frame.height + LINE * (index + 0.5) + 10;
    add(root, "text", { x: MARGIN, y, "font-size": 12, fill: look.soft }).textContent = line;
  });
  return new XMLSerializer().serializeToString(root);
}

/** The same chart once more, on a canvas that writes down what is drawn on it. */
function drawn(frame: Frame, told: Told, look: Theme): SVGElement {
  const canvas = new Element({ width: frame.width, height: frame.height });
  canvas.ctx.__applyText = writeText;
  const chart = told({ ...look, tiles: tilesOf(canvas.ctx) });
  chart.options = { ...chart.options, responsive: false, devicePixelRatio: 1, events: [] };
  chart.platform = BasicPlatform;
  // lines with segments are drawn step by step, not as a Path2D that nothing can be read out of
  const datasets = chart.data.datasets.map((dataset) => ({ ...dataset, segment: {} }));
  chart.data = { ...chart.data, datasets };
  new Chart(canvas as unknown as HTMLCanvasElement, chart);
  return canvas.svg;
}

const ANCHORS: Record<string, string> = { center: "middle", right: "end", end: "end" };
/** Shares of a letter's height: renderers differ in what they make of named baselines. */
const BASELINES: Record<string, number> = { top: 0.8, hanging: 0.8, middle: 0.35, bottom: -0.2 };

/** In place of svgcanvas's own, which sets fonts by a style attribute: our policy forbids those. */
function writeText(this: Context, text: string, x: number, y: number, action: string): void {
  const parent = this.__closestGroupOrSvg();
  const probe = document.createElement("span");
  probe.style.font = this.font;
  const size = Number.parseFloat(probe.style.fontSize);
  const element = this.__createElement(
    "text",
    {
      x,
      y: y + size * (BASELINES[this.textBaseline] ?? 0),
      "font-size": size,
      "font-style": probe.style.fontStyle,
      "font-weight": probe.style.fontWeight,
      "text-anchor": ANCHORS[this.textAlign] ?? "start",
    },
    true,
  );
  element.textContent = text;
  this.__currentElement = element;
  this.__applyTransformation(element);
  this.__applyStyleToCurrentElement(action);
  parent.append(element);
}

function tilesOf(context: Context): Tiles {
  return (paint) => {
    const tile = new Context({ width: SIZE, height: SIZE });
    paint(tile as unknown as CanvasRenderingContext2D);
    return context.createPattern(tile, "repeat");
  };
}

function add(
  parent: SVGElement | null,
  name: string,
  attributes: Record<string, string | number>,
): SVGElement {
  const element = document.createElementNS(SVG, name) as SVGElement;
  for (const [key, value] of Object.entries(attributes)) {
    if (key !== "xmlns") element.setAttribute(key, String(value));
  }
  parent?.append(element);
  return element;
}

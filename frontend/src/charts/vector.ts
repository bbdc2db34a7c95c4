import { type Context, Element } from "svgcanvas";

/** A canvas that writes down what is drawn on it, as an SVG. */
export interface Writing {
  canvas: HTMLCanvasElement;
  svg: SVGElement;
}

/** An empty one of `width` by `height`. Loaded with the first SVG. */
export function writing(width: number, height: number): Writing {
  const element = new Element({ width, height });
  element.ctx.__applyText = writeText;
  return { canvas: element as unknown as HTMLCanvasElement, svg: element.svg };
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

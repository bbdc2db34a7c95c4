/** The parts of svgcanvas that are used here; it brings no types of its own. */
declare module "svgcanvas" {
  interface Size {
    width: number;
    height: number;
  }

  /** Draws as a canvas does, into an SVG. */
  export class Context {
    constructor(size: Size);
    font: string;
    textAlign: string;
    textBaseline: string;
    __currentElement: SVGElement;
    __applyText: (this: Context, text: string, x: number, y: number, action: string) => void;
    __applyStyleToCurrentElement(action: string): void;
    __applyTransformation(element: SVGElement): void;
    __closestGroupOrSvg(): SVGElement;
    __createElement(name: string, attributes: object, plain: boolean): SVGElement;
    createPattern(image: Context, repetition: string): CanvasPattern;
  }

  /** Stands in for a canvas. */
  export class Element {
    constructor(size: Size);
    ctx: Context;
    svg: SVGElement;
  }
}

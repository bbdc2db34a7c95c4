import { BasicPlatform, Chart } from "chart.js";
import { type Frame, heightOf, LINE, MARGIN, TITLE, type ChartIn } from "./frame";
import type { Theme } from "./theme";
import type { Writing } from "./vector";

const SVG = "http://www.w3.org/2000/svg";

/** The chart as lines and letters, with its words on a ground of its own: the text of an SVG. */
export async function svg(frame: Frame, chartIn: ChartIn, look: Theme): Promise<string> {
  const { writing } = await import("./vector");
  const [width, height] = [frame.width + 2 * MARGIN, heightOf(frame)];
  const root = add(null, "svg", { xmlns: SVG, width, height, viewBox: `0 0 ${width} ${height}` });
  root.setAttribute("font-family", look.font);
  add(root, "title", {}).textContent = frame.title;
  add(root, "rect", { width, height, fill: look.surface });
  const head = { x: MARGIN, y: MARGIN + 13, "font-size": 15, "font-weight": 600, fill: look.ink };
  add(root, "text", head).textContent = frame.title;
  const inner = drawn(writing(frame.width, frame.height), chartIn, look);
  inner.setAttribute("x", String(MARGIN));
  inner.setAttribute("y", String(MARGIN + TITLE));
  root.append(inner);
  frame.foot.forEach((line, index) => {
    const y = MARGIN + TITLE + frame.height + LINE * (index + 0.5) + 10;
    add(root, "text", { x: MARGIN, y, "font-size": 12, fill: look.soft }).textContent = line;
  });
  return new XMLSerializer().serializeToString(root);
}

/** The same chart once more, written down. */
function drawn(writing: Writing, chartIn: ChartIn, look: Theme): SVGElement {
  const chart = chartIn(look);
  chart.options = { ...chart.options, responsive: false, devicePixelRatio: 1, events: [] };
  // nobody zooms on paper
  chart.plugins = (chart.plugins ?? []).filter(({ id }) => id !== "zoom");
  chart.platform = BasicPlatform;
  // lines with segments are drawn step by step, not as a Path2D that nothing can be read out of
  const datasets = chart.data.datasets.map((dataset) => ({ ...dataset, segment: {} }));
  chart.data = { ...chart.data, datasets };
  new Chart(writing.canvas, chart);
  return writing.svg;
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

import { wrapped } from "./labels";
import type { Theme } from "./theme";

const MARGIN = 20;
const TITLE = 22;
const LINE = 17;
const LETTER = 7;

/** Words of a picture: what it shows, and where and when it was made. */
export interface Words {
  title: string;
  foot: string;
}

/** The chart with its words on a ground of its own, so that it can be read on any page. */
export function picture(chart: HTMLCanvasElement, words: Words, theme: Theme): HTMLCanvasElement {
  const scale = chart.width / chart.clientWidth;
  const width = chart.clientWidth + 2 * MARGIN;
  const foot = wrapped(words.foot, chart.clientWidth / LETTER, Number.POSITIVE_INFINITY);
  const height = MARGIN + TITLE + chart.clientHeight + LINE * foot.length + MARGIN;
  const canvas = document.createElement("canvas");
  canvas.width = width * scale;
  canvas.height = height * scale;
  const context = canvas.getContext("2d");
  if (!context) throw new Error("This browser draws no pictures.");
  context.scale(scale, scale);
  context.fillStyle = theme.surface;
  context.fillRect(0, 0, width, height);
  context.textBaseline = "top";
  context.fillStyle = theme.ink;
  context.font = `600 15px ${theme.font}`;
  context.fillText(words.title, MARGIN, MARGIN, chart.clientWidth);
  context.drawImage(chart, MARGIN, MARGIN + TITLE, chart.clientWidth, chart.clientHeight);
  context.fillStyle = theme.soft;
  context.font = `12px ${theme.font}`;
  foot.forEach((line, index) => {
    const y = MARGIN + TITLE + chart.clientHeight + LINE * (index + 0.5);
    context.fillText(line, MARGIN, y, chart.clientWidth);
  });
  return canvas;
}

/** The words for a figure: its caption, how many runs each group has, the day, the address. */
export function wordsOf(element: HTMLElement, counts: number[], address: string, day: Date): Words {
  const caption = element.querySelector("figcaption [data-caption]") as HTMLElement | null;
  const [fewest, most] = [Math.min(...counts), Math.max(...counts)];
  const n = fewest === most ? `n = ${most}` : `n = ${fewest} – ${most}`;
  const date = day.toISOString().slice(0, 10);
  return {
    title: (caption?.textContent ?? "").replace(/\s+/g, " ").trim(),
    foot: `${n} · ${date} · ${address}`,
  };
}

/** Hands the picture to the one who asked for it. */
export function save(canvas: HTMLCanvasElement, name: string): void {
  canvas.toBlob((blob) => {
    if (!blob) return;
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    URL.revokeObjectURL(link.href);
  }, "image/png");
}

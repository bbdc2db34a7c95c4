import type { Drawable } from "./figure";
import { type Frame, heightOf, LINE, MARGIN, TITLE, type ChartIn } from "./frame";
import { wrapped } from "./labels";
import { svg } from "./svg";
import { theme } from "./theme";

const LETTER = 7;

/** Words of a picture: what it shows, and where and when it was made. */
export interface Words {
  title: string;
  foot: string;
}

/** Makes the buttons of a figure hand out its chart; `chartIn` is the chart in a theme. */
export function offerPictures(
  element: HTMLElement,
  figure: Drawable,
  canvas: HTMLCanvasElement,
  chartIn: ChartIn,
): void {
  const counts = figure.rows.map((row) => row.n);
  const frame = (): Frame =>
    frameOf(canvas, wordsOf(element, counts, location.href, new Date()));
  for (const button of element.querySelectorAll<HTMLButtonElement>("[data-picture]")) {
    const kind = button.dataset["picture"] ?? "";
    button.addEventListener("click", () => {
      const made = kind === "svg" ? asSvg(frame(), chartIn) : asPng(canvas, frame());
      void made.then((blob) => save(blob, `${figure.measure}.${kind}`));
    });
  }
  element.dataset["drawn"] = "";
}

async function asSvg(frame: Frame, chartIn: ChartIn): Promise<Blob> {
  return new Blob([await svg(frame, chartIn, theme())], { type: "image/svg+xml" });
}

/** The chart with its words on a ground of its own, so that it can be read on any page. */
async function asPng(chart: HTMLCanvasElement, frame: Frame): Promise<Blob> {
  const scale = chart.width / chart.clientWidth;
  const look = theme();
  const canvas = document.createElement("canvas");
  canvas.width = (frame.width + 2 * MARGIN) * scale;
  canvas.height = heightOf(frame) * scale;
  const context = canvas.getContext("2d");
  if (!context) throw new Error("This browser draws no pictures.");
  context.scale(scale, scale);
  context.fillStyle = look.surface;
  context.fillRect(0, 0, frame.width + 2 * MARGIN, heightOf(frame));
  context.textBaseline = "top";
  context.fillStyle = look.ink;
  context.font = `600 15px ${look.font}`;
  context.fillText(frame.title, MARGIN, MARGIN, frame.width);
  context.drawImage(chart, MARGIN, MARGIN + TITLE, frame.width, frame.height);
  context.fillStyle = look.soft;
  context.font = `12px ${look.font}`;
  frame.foot.forEach((line, index) => {
    const y = MARGIN + TITLE + frame.height + LINE * (index + 0.5);
    context.fillText(line, MARGIN, y, frame.width);
  });
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("No picture was made."))));
  });
}

function frameOf(chart: HTMLCanvasElement, words: Words): Frame {
  const { clientWidth: width, clientHeight: height } = chart;
  const room = Math.max(1, Math.floor(width / LETTER));
  // an address has no blanks to break at
  const foot = wrapped(words.foot, room, Number.POSITIVE_INFINITY).flatMap((line) =>
    Array.from({ length: Math.ceil(line.length / room) }, (_, nth) =>
      line.slice(nth * room, (nth + 1) * room),
    ),
  );
  return { title: words.title, foot, width, height };
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
function save(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

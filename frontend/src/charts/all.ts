import { against } from "./against";
import { bars } from "./bars";
import { boxes } from "./boxes";
import { change } from "./change";
import { crossed } from "./crossed";
import { dots } from "./dots";
import { nextFrame } from "./draw-queue";
import { effects } from "./effects";
import { front } from "./front";
import { heat } from "./heat";
import { history } from "./history";
import { lines } from "./lines";
import { overTime } from "./over-time";
import { percentiles } from "./percentiles";
import { type Kind, plot } from "./plot";
import { scaling } from "./scaling";

export { LiveCharts } from "./live";

/** Every kind of chart in one file: they share nearly all of it, and a page asks once. */
const KINDS: Record<string, Kind> = {
  against,
  bars,
  boxes,
  change,
  crossed,
  dots,
  effects,
  front,
  heat,
  history,
  lines,
  "over-time": overTime,
  percentiles,
  scaling,
};

/** Draws each figure below `root` that announces a chart, once; one of no kind is a bug, and loud. */
export async function drawAll(root: ParentNode): Promise<void> {
  const waiting = root.querySelectorAll<HTMLElement>("[data-chart]:not([data-attached])");
  await Promise.all(
    Array.from(waiting, async (figure) => {
      const kind = KINDS[figure.dataset["chart"] ?? ""];
      if (!kind) throw new Error(`No chart is named "${figure.dataset["chart"]}".`);
      figure.dataset["attached"] = "";
      await plot(figure, kind);
    }),
  );
}

/** Draws what a page begins with; the table below it is laid out when the first chart is on the screen. */
function begin(): void {
  const page = document.documentElement;
  // whoever came for a table has its name in the address
  if (!location.hash) page.dataset["firstChart"] = "";
  void drawAll(document);
  void nextFrame().then(() => delete page.dataset["firstChart"]);
}

// at once: it does not wait for the scripts that come behind this one
begin();

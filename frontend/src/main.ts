import { attach, type Modules } from "./attach";
import * as bulk from "./bulk";
import * as compareForm from "./compare-form";
import * as copy from "./copy";
import * as dropdown from "./dropdown";
import * as followJob from "./follow-job";
import { htmx } from "./htmx";
import { layOut } from "./idle-layout";
import * as livePoints from "./live-points";
import * as loadingBar from "./loading-bar";
import { showMarkedLines } from "./marked-lines";
import { pageIdle } from "./page-idle";
import * as planMatrix from "./plan-matrix";
import { focusRefused } from "./refused-field";
import * as requestErrors from "./request-errors";
import * as rowKeys from "./row-keys";
import { focusScrolling } from "./scroll-focus";
import * as search from "./search";
import * as shortcuts from "./shortcuts";
import * as sortable from "./sortable";
import * as theme from "./theme";
import * as tray from "./tray";
import * as unfold from "./unfold";
import * as upload from "./upload";

const parts: Modules = {
  bulk: bulk.attach,
  "compare-form": compareForm.attach,
  copy: copy.attach,
  dropdown: dropdown.attach,
  "follow-job": followJob.attach,
  "live-points": livePoints.attach,
  "loading-bar": loadingBar.attach,
  "plan-matrix": planMatrix.attach,
  "request-errors": requestErrors.attach,
  "row-keys": rowKeys.attach,
  search: search.attach,
  shortcuts: shortcuts.attach,
  // a button in each heading of each table: charts go first
  sortable: (table) => pageIdle.then(() => sortable.attach(table)),
  theme: theme.attach,
  tray: tray.attach,
  unfold: unfold.attach,
  upload: upload.attach,
};

function attachAll(root: ParentNode): void {
  void attach(root, parts);
  void drawAll(root);
  void layOut(root);
  focusScrolling(root);
}

/** Pages that begin with charts bring their script along: then nothing is fetched here. */
async function drawAll(root: ParentNode): Promise<void> {
  if (!root.querySelector("[data-chart]:not([data-attached])")) return;
  await (await import("./charts/all")).drawAll(root);
}

/** A page that begins with a chart shows that first; one that nobody looks at has no frames to wait for. */
function begin(): void {
  if (document.hidden || !document.querySelector("[data-chart]")) attachAll(document);
  else requestAnimationFrame(() => setTimeout(() => attachAll(document)));
}

begin();
focusRefused(document);
void pageIdle.then(() => showMarkedLines(document));
// what it brings later
void htmx.then((loaded) => loaded.onLoad((part) => attachAll(part.parentNode ?? document)));

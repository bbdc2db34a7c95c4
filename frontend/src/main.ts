import { attach, type Modules } from "./attach";
import * as bulk from "./bulk";
import { calm } from "./calm";
import * as compareForm from "./compare-form";
import * as copy from "./copy";
import * as dropdown from "./dropdown";
import * as follow from "./follow";
import * as heat from "./heat";
import { htmx } from "./htmx";
import { layOut } from "./lay-out";
import * as lost from "./lost";
import { reachScrolled } from "./scrolled";
import * as rows from "./rows";
import * as search from "./search";
import * as shortcuts from "./shortcuts";
import * as sortable from "./sortable";
import * as theme from "./theme";
import * as told from "./told";
import * as tray from "./tray";
import * as upload from "./upload";
import * as waiting from "./waiting";

const parts: Modules = {
  bulk: bulk.attach,
  "compare-form": compareForm.attach,
  copy: copy.attach,
  dropdown: dropdown.attach,
  follow: follow.attach,
  heat: heat.attach,
  lost: lost.attach,
  rows: rows.attach,
  search: search.attach,
  shortcuts: shortcuts.attach,
  // a button in each heading of each table: charts go first
  sortable: (table) => calm.then(() => sortable.attach(table)),
  theme: theme.attach,
  told: told.attach,
  tray: tray.attach,
  upload: upload.attach,
  waiting: waiting.attach,
};

function attachAll(root: ParentNode): void {
  void attach(root, parts);
  void drawAll(root);
  void layOut(root);
  reachScrolled(root);
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
// what it brings later
void htmx.then((loaded) => loaded.onLoad((part) => attachAll(part.parentNode ?? document)));

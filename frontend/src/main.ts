import { attach, type Modules } from "./attach";
import * as compareForm from "./compare-form";
import * as dropdown from "./dropdown";
import { htmx } from "./htmx";
import * as lost from "./lost";
import * as search from "./search";
import * as sortable from "./sortable";
import * as theme from "./theme";
import * as tray from "./tray";
import * as waiting from "./waiting";

const charts: Modules = {
  against: async () => (await import("./charts/all")).against,
  bars: async () => (await import("./charts/all")).bars,
  boxes: async () => (await import("./charts/all")).boxes,
  change: async () => (await import("./charts/all")).change,
  heat: async () => (await import("./charts/all")).heat,
  lines: async () => (await import("./charts/all")).lines,
  "over-time": async () => (await import("./charts/all")).overTime,
  percentiles: async () => (await import("./charts/all")).percentiles,
};

// what nearly every page has comes with it, what few have when they ask
const parts: Modules = {
  bulk: () => import("./bulk"),
  "compare-form": async () => compareForm,
  dropdown: async () => dropdown,
  follow: () => import("./follow"),
  lost: async () => lost,
  search: async () => search,
  sortable: async () => sortable,
  theme: async () => theme,
  told: () => import("./told"),
  tray: async () => tray,
  upload: () => import("./upload"),
  waiting: async () => waiting,
};

function attachAll(root: ParentNode): void {
  void attach(root, "chart", charts);
  void attach(root, "part", parts);
}

attachAll(document);
// what it brings later
void htmx.then((loaded) => loaded.onLoad((part) => attachAll(part.parentNode ?? document)));

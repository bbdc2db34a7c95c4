import htmx from "htmx.org";
import { attach, type Modules } from "./attach";

const charts: Modules = {
  against: () => import("./charts/against"),
  bars: () => import("./charts/bars"),
  boxes: () => import("./charts/boxes"),
  change: () => import("./charts/change"),
  heat: () => import("./charts/heat"),
  lines: () => import("./charts/lines"),
  "over-time": () => import("./charts/over-time"),
  percentiles: () => import("./charts/percentiles"),
};

const parts: Modules = {
  bulk: () => import("./bulk"),
  "compare-form": () => import("./compare-form"),
  dropdown: () => import("./dropdown"),
  lost: () => import("./lost"),
  follow: () => import("./follow"),
  sortable: () => import("./sortable"),
  search: () => import("./search"),
  theme: () => import("./theme"),
  tray: () => import("./tray"),
  upload: () => import("./upload"),
  waiting: () => import("./waiting"),
};

function attachAll(root: ParentNode): void {
  void attach(root, "chart", charts);
  void attach(root, "part", parts);
}

// the page stands already: it need not wait until htmx has gone through it
attachAll(document);
htmx.onLoad((part) => attachAll(part.parentNode ?? document));

import { htmx } from "./htmx";

let before = new Set<string>();

// how many changes of boxes there were: now, when each request was sent, and when the request was
// sent whose answer is shown
let changes = 0;
const changesBefore = new WeakMap<object, number>();
let shown = 0;

/** Keeps the boxes of the page and the tray alike: what was left behind loses its tick. */
export function attach(tray: HTMLElement): void {
  document.documentElement.toggleAttribute("data-tray", !tray.hidden);
  // a tray of before the last change knows nothing of it: that change has an answer of its own
  if (shown < changes) return;
  const names = namesIn(tray);
  for (const box of document.querySelectorAll<HTMLInputElement>("input[data-tick]")) {
    const name = `${box.name}-${box.value}`;
    if (names.has(name)) box.checked = true;
    else if (before.has(name)) box.checked = false;
  }
  before = names;
  document.dispatchEvent(new Event("ticked"));
}

/** The records in the tray as `runs-12`. */
function namesIn(tray: HTMLElement): Set<string> {
  const items = tray.querySelectorAll<HTMLElement>("[data-tray-item]");
  return new Set(Array.from(items, (item) => item.dataset["trayItem"]!));
}

document.addEventListener(
  "change",
  (event) => {
    if ((event.target as Element).matches("input[data-tick]")) changes += 1;
  },
  true, // before it is sent
);
document.addEventListener("htmx:configRequest", (event) => {
  changesBefore.set((event as CustomEvent<object>).detail, changes);
});
document.addEventListener("htmx:beforeSwap", (event) => {
  const { target, requestConfig } = (event as CustomEvent<{ target: Element; requestConfig: object }>).detail;
  if (target.id === "tray") shown = changesBefore.get(requestConfig) ?? changes;
});

// what was ticked before there was anything to send it
void htmx.then(() => {
  const boxes = document.querySelectorAll<HTMLInputElement>("input[data-tick]");
  const missed = Array.from(boxes).find((box) => box.checked !== box.defaultChecked);
  missed?.dispatchEvent(new Event("change", { bubbles: true }));
});

// a page that the browser kept as it was has an old tray
window.addEventListener("pageshow", (event) => {
  const form = document.querySelector<HTMLFormElement>("#take");
  if (!event.persisted || !form) return;
  const token = new FormData(form).get("csrfmiddlewaretoken");
  const words = { target: "#tray", swap: "outerHTML", values: { csrfmiddlewaretoken: token } };
  void htmx.then((loaded) => loaded.ajax("post", form.getAttribute("hx-post")!, words));
});

import { htmx } from "./htmx";

/** Says how many runs are ticked, and lets one box in the head of the table tick all that match. */
export function attach(form: HTMLElement): void {
  const boxes = document.querySelectorAll<HTMLInputElement>(`tbody input[type=checkbox][form="${form.id}"]`);
  const bar = document.querySelector<HTMLElement>("[data-ticked]");
  const matching = document.querySelector<HTMLInputElement>("[data-matching]");
  const all = document.createElement("input");
  const show = (): void => {
    const ticked = Array.from(boxes).filter((box) => box.checked).length;
    const count = matching?.checked ? matching.dataset["matching"]! : String(ticked);
    const none = ticked === 0 && !matching?.checked;
    // those of the fields come later than the list; what is ticked here may be of an earlier visit, so
    // that the button which deletes says how many they are
    for (const badge of document.querySelectorAll<HTMLElement>("[data-count]")) {
      badge.textContent = count;
      badge.hidden = none;
    }
    if (bar) {
      bar.hidden = none;
      document.documentElement.toggleAttribute("data-any-ticked", !none);
    }
    all.checked = ticked === boxes.length;
    all.indeterminate = ticked > 0 && ticked < boxes.length;
    if (!none) fetchFields(form, show);
  };
  const head = document.querySelector<HTMLElement>("thead .tick-cell");
  if (head) {
    all.type = "checkbox";
    all.ariaLabel = head.textContent?.trim() ?? "";
    head.replaceChildren(all);
    all.addEventListener("change", () => {
      for (const box of boxes) box.checked = all.checked;
      if (matching) matching.checked = all.checked;
      boxes[0]?.dispatchEvent(new Event("change", { bubbles: true }));
      show();
    });
  }
  for (const box of boxes)
    box.addEventListener("change", () => {
      // one less is not all
      if (matching && !box.checked) matching.checked = false;
      show();
    });
  matching?.addEventListener("change", show);
  // by the tray, which changes boxes without an event of theirs
  document.addEventListener("ticked", show);
  show();
}

/** The fields and all the names that they suggest cost as much as the list: few visits need them. */
function fetchFields(form: HTMLElement, arrived: () => void): void {
  const place = form.querySelector<HTMLElement>("[data-fields]");
  const address = place?.dataset["fields"];
  if (!place || !address) return;
  delete place.dataset["fields"];
  void htmx
    .then((loaded) => loaded.ajax("get", address, { target: place, swap: "outerHTML" }))
    .then(arrived)
    // where they did not arrive, the next tick tries again
    .finally(() => (place.dataset["fields"] = address));
}

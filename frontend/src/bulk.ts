import { htmx } from "./htmx";

/** Says how many runs are ticked, and lets one box in the head of the table tick them all. */
export function attach(form: HTMLElement): void {
  const boxes = document.querySelectorAll<HTMLInputElement>(`input[type=checkbox][form="${form.id}"]`);
  const badge = form.querySelector<HTMLElement>("[data-count]")!;
  const all = document.createElement("input");
  const show = (): void => {
    const ticked = Array.from(boxes).filter((box) => box.checked).length;
    badge.textContent = String(ticked);
    badge.hidden = ticked === 0;
    all.checked = ticked === boxes.length;
    all.indeterminate = ticked > 0 && ticked < boxes.length;
    if (ticked > 0) fetchFields(form);
  };
  const head = document.querySelector<HTMLElement>("thead .tick-cell");
  if (head) {
    all.type = "checkbox";
    all.ariaLabel = head.textContent?.trim() ?? "";
    head.replaceChildren(all);
    all.addEventListener("change", () => {
      for (const box of boxes) box.checked = all.checked;
      boxes[0]?.dispatchEvent(new Event("change", { bubbles: true }));
    });
  }
  for (const box of boxes) box.addEventListener("change", show);
  show();
}

/** The fields and all the names that they suggest cost as much as the list: few visits need them. */
function fetchFields(form: HTMLElement): void {
  const place = form.querySelector<HTMLElement>("[data-fields]");
  const address = place?.dataset["fields"];
  if (!place || !address) return;
  delete place.dataset["fields"];
  void htmx
    .then((loaded) => loaded.ajax("get", address, { target: place, swap: "outerHTML" }))
    // where they did not arrive, the next tick tries again
    .finally(() => (place.dataset["fields"] = address));
}

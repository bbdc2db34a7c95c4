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

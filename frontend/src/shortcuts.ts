const OFF = "no-shortcuts";
const TYPED = "input:not([type=checkbox], [type=radio]), select, textarea, [contenteditable]";
const CHART = "figure [role=application]";

/** The dialog that names the shortcuts, and what each does; a box in it turns them off. */
export function attach(element: HTMLElement): void {
  const dialog = element as HTMLDialogElement;
  const box = dialog.querySelector<HTMLInputElement>("input[type=checkbox]")!;
  box.checked = !isOff();
  box.addEventListener("change", () => {
    if (box.checked) localStorage.removeItem(OFF);
    else localStorage.setItem(OFF, "1");
  });
  for (const button of document.querySelectorAll<HTMLElement>("[data-shortcuts]")) {
    button.hidden = false;
    button.addEventListener("click", () => dialog.showModal());
  }
  let before = "";
  document.addEventListener("keydown", (event) => {
    const keys = before + event.key;
    before = "";
    if (!isShortcut(event) || document.querySelector("dialog[open]")) return;
    if (event.key === "g" && keys === "g") before = "g";
    else if (act(keys, dialog)) event.preventDefault();
  });
}

/** Whether a key may be meant for the page: whoever types, or speaks to a computer, means others. */
export function isShortcut(event: KeyboardEvent): boolean {
  if (isOff() || event.ctrlKey || event.metaKey || event.altKey) return false;
  return !(event.target as HTMLElement).closest(TYPED);
}

function isOff(): boolean {
  return localStorage.getItem(OFF) !== null;
}

function act(keys: string, dialog: HTMLElement): boolean {
  const entry = dialog.querySelector<HTMLElement>(`[data-keys="${CSS.escape(keys)}"]`);
  if (!entry) return false;
  if (keys === "?") (dialog as HTMLDialogElement).showModal();
  else if (keys === "j" || keys === "k") goToChart(keys === "j" ? 1 : -1);
  else if (keys === "t") document.querySelector<HTMLElement>("#tray:not([hidden])")?.focus();
  else if (keys === "c") document.querySelector<HTMLElement>("#tray a.primary")?.click();
  else if (entry.dataset["address"]) location.assign(entry.dataset["address"]);
  else return false;
  return true;
}

/** The next chart of the page, or the one before; beyond the last one it stays there. */
function goToChart(step: number): void {
  const charts = Array.from(document.querySelectorAll<HTMLElement>(CHART));
  const here = charts.findIndex((chart) => chart.contains(document.activeElement));
  const place = here < 0 && step < 0 ? 0 : Math.min(Math.max(here + step, 0), charts.length - 1);
  charts[place]?.focus();
}

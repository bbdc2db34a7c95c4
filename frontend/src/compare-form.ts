const FOCUS = "compare-focus";
/** Who ticks one box mostly ticks another. */
const BOXES_WAIT_MS = 700;

type Control = HTMLInputElement | HTMLSelectElement;

/** The compare form sends itself when a control changes, and keeps the focus there. */
export function attach(form: HTMLElement): void {
  if (!(form instanceof HTMLFormElement)) throw new Error("The compare form is no form.");
  let waiting = 0;
  let typed = false;
  form.addEventListener("keydown", () => void (typed = true));
  form.addEventListener("pointerdown", () => void (typed = false));
  form.addEventListener("change", (event) => {
    const control = event.target as Control;
    sessionStorage.setItem(FOCUS, placeOf(control));
    clearTimeout(waiting);
    // each digit of a year makes another date: 0002, 0020, 0202, 2026
    control.onblur = null;
    if (control.type === "date" && typed) {
      control.onblur = () => form.requestSubmit();
    } else if (control.matches(".choosers [type=checkbox]")) {
      waiting = window.setTimeout(() => form.requestSubmit(), BOXES_WAIT_MS);
    } else {
      form.requestSubmit();
    }
  });
  for (const drawer of form.querySelectorAll<HTMLDetailsElement>(".drawer")) {
    const opened = (): void => void (drawer.open && offerCalendars(drawer));
    drawer.addEventListener("toggle", opened);
    opened();
  }
  // a browser says what is wrong only where it can be seen, and else sends nothing without a word
  form.addEventListener("invalid", (event) => reveal(event.target as HTMLElement), true);
  const left = sessionStorage.getItem(FOCUS);
  sessionStorage.removeItem(FOCUS);
  const field = [...form.querySelectorAll<Control>("input, select")].find((one) => placeOf(one) === left);
  if (field) {
    reveal(field);
    field.focus({ preventScroll: true });
    field.scrollIntoView?.({ block: "nearest" });
  }
  // who comes back sees what the address says, not what was chosen last before leaving
  const [visit] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  const back = visit?.type === "back_forward";
  if (back && document.readyState === "complete") form.reset();
  addEventListener("pageshow", (event) => {
    if (event.persisted || back) form.reset();
  });
  // what nobody filled in stays out of the address
  form.addEventListener("formdata", ({ formData }) => dropBlanks(formData));
}

/** The browser's fields for dates: each takes 2 ms to make, so they wait until somebody looks for them. */
function offerCalendars(drawer: HTMLElement): void {
  for (const field of drawer.querySelectorAll<HTMLInputElement>("[data-date]")) field.type = "date";
}

function reveal(field: HTMLElement): void {
  const drawer = field.closest("details");
  if (drawer) drawer.open = true;
}

/** What tells a control from all others; a box among many has no id. */
function placeOf(control: Control): string {
  return control.id || `${control.name}=${control.value}`;
}

export function dropBlanks(data: FormData): void {
  for (const name of new Set(data.keys())) {
    const chosen = data.getAll(name).filter((value) => value !== "");
    data.delete(name);
    for (const value of chosen) data.append(name, value);
  }
}

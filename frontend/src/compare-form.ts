const FOCUS = "compare-focus";

/** The compare form sends itself when one of the controls above the charts changes, and keeps the focus there. */
export function attach(form: HTMLElement): void {
  if (!(form instanceof HTMLFormElement)) throw new Error("The compare form is no form.");
  form.addEventListener("change", (event) => {
    const control = event.target;
    if (!(control instanceof HTMLElement && control.closest("[data-at-once]"))) return;
    sessionStorage.setItem(FOCUS, control.id);
    form.requestSubmit();
  });
  for (const drawer of form.querySelectorAll<HTMLDetailsElement>(".drawer")) {
    const asked = (): void => void (drawer.open && offerCalendars(drawer));
    drawer.addEventListener("toggle", asked);
    asked();
  }
  // a browser says what is wrong only where it can be seen, and else sends nothing without a word
  form.addEventListener("invalid", (event) => reveal(event.target as HTMLElement), true);
  const left = sessionStorage.getItem(FOCUS);
  sessionStorage.removeItem(FOCUS);
  const field = left ? document.getElementById(left) : null;
  if (field) reveal(field);
  field?.focus({ preventScroll: true });
  // who comes back sees what the address says, not what was chosen last before leaving
  const [visit] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  const back = visit?.type === "back_forward";
  if (back && document.readyState === "complete") takeBack(form);
  addEventListener("pageshow", (event) => {
    if (event.persisted || back) takeBack(form);
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

/** What sends the form at once is as the page came; what waits to be sent stays. */
function takeBack(form: HTMLFormElement): void {
  for (const box of form.querySelectorAll<HTMLInputElement>("[data-at-once] input")) {
    box.checked = box.defaultChecked;
  }
  for (const option of form.querySelectorAll<HTMLOptionElement>("[data-at-once] option")) {
    option.selected = option.defaultSelected;
  }
}

export function dropBlanks(data: FormData): void {
  for (const name of new Set(data.keys())) {
    const said = data.getAll(name).filter((value) => value !== "");
    data.delete(name);
    for (const value of said) data.append(name, value);
  }
}

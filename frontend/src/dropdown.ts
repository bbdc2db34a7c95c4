/** Closes a `<details>` menu on Escape and on a press elsewhere. */
export function attach(menu: HTMLElement): void {
  const details = menu as HTMLDetailsElement;
  document.addEventListener("click", (event) => {
    if (!details.contains(event.target as Node)) details.open = false;
  });
  details.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    details.open = false;
    details.querySelector("summary")?.focus();
  });
}

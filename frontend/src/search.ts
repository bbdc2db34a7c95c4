import { isShortcut } from "./shortcuts";

/** Brings people to the search box by `/`; where it has no room in the head, to its page. */
export function attach(form: HTMLElement): void {
  const box = form.querySelector<HTMLInputElement>("input[type=search]")!;
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || !isShortcut(event)) return;
    event.preventDefault();
    if (box.checkVisibility()) box.select();
    else location.assign((form as HTMLFormElement).action);
  });
}

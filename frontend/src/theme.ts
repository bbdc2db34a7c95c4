/** Switches the theme at once; the server's cookie keeps it for the next page. */
export function attach(form: HTMLElement): void {
  form.addEventListener("submit", (event) => {
    const button = (event as SubmitEvent).submitter as HTMLButtonElement;
    event.preventDefault();
    document.documentElement.dataset["theme"] = button.value;
    for (const other of form.querySelectorAll("button")) {
      other.setAttribute("aria-pressed", String(other === button));
    }
    document.dispatchEvent(new CustomEvent("themechange"));
    void fetch((form as HTMLFormElement).action, {
      method: "POST",
      body: new FormData(form as HTMLFormElement, button),
      redirect: "manual",
    }).catch(() => document.dispatchEvent(new CustomEvent("connectionlost")));
  });
}

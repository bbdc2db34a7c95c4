/** Says when a request failed, or its answer was not the expected one; hidden with the next that succeeds. */
export function attach(notice: HTMLElement): void {
  const show = (why: "lost" | "failed" | "signedOut"): void => {
    notice.querySelector("p")!.textContent = notice.dataset[why]!;
    notice.hidden = false;
  };
  for (const name of ["htmx:sendError", "htmx:timeout", "connectionlost"]) {
    document.addEventListener(name, () => show("lost"));
  }
  document.addEventListener("htmx:responseError", (event) => {
    show(requestOf(event).status === 403 ? "signedOut" : "failed");
  });
  document.addEventListener("htmx:beforeSwap", (event) => {
    if (!requestOf(event).responseURL.includes("/sign-in/")) return;
    (event as CustomEvent<{ shouldSwap: boolean }>).detail.shouldSwap = false;
    show("signedOut");
  });
  for (const name of ["htmx:afterSwap", "connectionback"]) {
    document.addEventListener(name, () => (notice.hidden = true));
  }
  document.addEventListener("submit", stay);
}

/** A form does not leave the page where the device has no connection: what was typed into it stays. */
function stay(event: SubmitEvent): void {
  if (navigator.onLine || event.defaultPrevented) return;
  event.preventDefault();
  document.dispatchEvent(new CustomEvent("connectionlost"));
}

function requestOf(event: Event): XMLHttpRequest {
  return (event as CustomEvent<{ xhr: XMLHttpRequest }>).detail.xhr;
}

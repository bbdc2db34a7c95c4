/** Says when an answer did not come, or not the one that was asked for; goes with the next that does. */
export function attach(notice: HTMLElement): void {
  const say = (why: "lost" | "failed" | "signedOut"): void => {
    notice.querySelector("p")!.textContent = notice.dataset[why]!;
    notice.hidden = false;
  };
  for (const name of ["htmx:sendError", "htmx:timeout", "connectionlost"]) {
    document.addEventListener(name, () => say("lost"));
  }
  document.addEventListener("htmx:responseError", (event) => {
    say(requestOf(event).status === 403 ? "signedOut" : "failed");
  });
  document.addEventListener("htmx:beforeSwap", (event) => {
    if (!requestOf(event).responseURL.includes("/sign-in/")) return;
    (event as CustomEvent<{ shouldSwap: boolean }>).detail.shouldSwap = false;
    say("signedOut");
  });
  for (const name of ["htmx:afterSwap", "connectionback"]) {
    document.addEventListener(name, () => (notice.hidden = true));
  }
  document.addEventListener("submit", (event) => void sendWhereHeard(event));
}

const heard = new WeakSet<HTMLFormElement>();

/** A form leaves the page only for a server that answers: what was typed into it is not lost. */
async function sendWhereHeard(event: SubmitEvent): Promise<void> {
  const form = event.target as HTMLFormElement;
  if (event.defaultPrevented || form.getAttribute("method") !== "post" || heard.delete(form)) return;
  event.preventDefault();
  try {
    await fetch(document.querySelector<HTMLLinkElement>("link[rel=icon]")!.href, {
      method: "HEAD",
      cache: "no-store",
    });
  } catch {
    document.dispatchEvent(new CustomEvent("connectionlost"));
    return;
  }
  heard.add(form);
  form.requestSubmit(event.submitter);
}

function requestOf(event: Event): XMLHttpRequest {
  return (event as CustomEvent<{ xhr: XMLHttpRequest }>).detail.xhr;
}

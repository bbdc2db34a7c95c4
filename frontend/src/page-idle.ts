const PATIENCE_MS = 1000;

/** When the page is there and its first chart too: time for what nobody looks at yet. */
export const pageIdle: Promise<void> = loaded().then(idle);

function loaded(): Promise<void> {
  if (document.readyState === "complete") return Promise.resolve();
  return new Promise((go) => addEventListener("load", () => go(), { once: true }));
}

/** When nothing else is to do, or a second later. */
export function idle(): Promise<void> {
  return new Promise((go) => {
    // not in every browser
    if ("requestIdleCallback" in window) requestIdleCallback(() => go(), { timeout: PATIENCE_MS });
    else setTimeout(go);
  });
}

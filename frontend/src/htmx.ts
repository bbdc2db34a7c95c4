/** htmx, once the page and its charts are there: it is as large as all else that a page begins with.
 *
 * It must not be evaluated between DOMContentLoaded and load: it would wait for what has passed.
 */
export const htmx = loaded().then(async () => (await import("htmx.org")).default);

function loaded(): Promise<unknown> {
  if (document.readyState === "complete") return Promise.resolve();
  return new Promise((go) => addEventListener("load", go, { once: true }));
}

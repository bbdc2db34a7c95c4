import { pageIdle } from "./page-idle";

const AGAIN_MS = 2000;

/** htmx, once the page and its charts are there: it is as large as all else that a page begins with.
 *
 * It must not be evaluated between DOMContentLoaded and load: it would wait for what has passed.
 */
export const htmx = pageIdle.then(arrive);

/** A connection that is lost just then does not leave the page without it. */
async function arrive(): Promise<typeof import("htmx.org").default> {
  try {
    return (await import("htmx.org")).default;
  } catch {
    await new Promise((go) => setTimeout(go, AGAIN_MS));
    return arrive();
  }
}

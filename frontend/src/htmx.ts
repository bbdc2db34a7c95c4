import { calm } from "./calm";

/** htmx, once the page and its charts are there: it is as large as all else that a page begins with.
 *
 * It must not be evaluated between DOMContentLoaded and load: it would wait for what has passed.
 */
export const htmx = calm.then(async () => (await import("htmx.org")).default);

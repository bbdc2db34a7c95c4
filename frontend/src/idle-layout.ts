import { pageIdle, idle } from "./page-idle";

const SLICE_MS = 12;
// what frontend/styles/multiples.css leaves for later
const LEFT = ".compared, .compared-section ~ .section";

/** Lays out what is still out of sight, slice by slice in idle time: nothing moves when it comes near. */
export async function layOut(root: ParentNode): Promise<void> {
  await pageIdle;
  let end = 0;
  for (const part of root.querySelectorAll<HTMLElement>(LEFT)) {
    if (part.style.contentVisibility) continue;
    if (performance.now() > end) {
      await idle();
      end = performance.now() + SLICE_MS;
    }
    part.style.contentVisibility = "visible";
    part.getBoundingClientRect(); // now, and not together with all others at the next frame
  }
}

let last: Promise<void> | undefined;

/** The first chart of a page is drawn at once; each other waits for the frame that shows the one before. */
export function turn(): Promise<void> {
  last = last ? last.then(nextFrame) : Promise.resolve();
  return last;
}

/** When the next frame is on the screen. */
export function nextFrame(): Promise<void> {
  return new Promise((go) => requestAnimationFrame(() => setTimeout(go)));
}

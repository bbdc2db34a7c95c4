/** Scrolls the output of several runs to the lines of the one that the page is of. */
export function showMarkedLines(root: ParentNode): void {
  for (const marked of root.querySelectorAll<HTMLElement>(".raw > .of-run")) {
    const pane = marked.parentElement as HTMLElement;
    const above = marked.getBoundingClientRect().top - pane.getBoundingClientRect().top;
    const twoLines = 2 * Number.parseFloat(getComputedStyle(pane).lineHeight);
    pane.scrollTop += Math.max(0, above - twoLines);
  }
}

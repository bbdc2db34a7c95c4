/** What scrolls sideways or down, and holds nothing that takes the focus, takes it itself. */
export function focusScrolling(root: ParentNode): void {
  for (const each of root.querySelectorAll("pre:not([tabindex]), .table-box:not([tabindex])")) {
    sizes.observe(each);
  }
}

// a stop at each one whether it scrolls or not would be many
const sizes = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    const scrolls =
      target.scrollWidth > target.clientWidth || target.scrollHeight > target.clientHeight;
    if (scrolls && !target.querySelector(FOCUSED)) target.setAttribute("tabindex", "0");
    else target.removeAttribute("tabindex");
  }
});
const FOCUSED = "a[href], button, input, select, textarea, summary";

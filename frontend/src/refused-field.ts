/** After a form that was refused, the first field to mend is in sight and has the focus: it may stand far below. */
export function focusRefused(root: ParentNode): void {
  if (root.querySelector("[autofocus]")) return;
  root.querySelector<HTMLElement>('[aria-invalid="true"]:not([type="hidden"])')?.focus();
}

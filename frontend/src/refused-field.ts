/** Focuses the first invalid field of a refused form, which may be far below the fold. */
export function focusRefused(root: ParentNode): void {
  if (root.querySelector("[autofocus]")) return;
  root.querySelector<HTMLElement>('[aria-invalid="true"]:not([type="hidden"])')?.focus();
}

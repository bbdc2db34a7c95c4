/** The colour of a token (`--series-1`) in the theme at hand, as `rgb(…)`, for canvases. */
export function colour(token: string): string {
  const probe = document.createElement("i");
  probe.style.color = `var(${token})`;
  document.body.append(probe);
  const resolved = getComputedStyle(probe).color;
  probe.remove();
  return resolved;
}

import type { Theme } from "./theme";

/** Where a colour is at its strongest: ten times the baseline, or a tenth of it. */
const STRONGEST = 1;
const HALF = 127;
/** The numbers of cells stand on it: pale letters need a darker ground for the same contrast. */
const DEEPEST = { onLight: 0.67, onDark: 0.4 };

/**
 * The colour of a share of the baseline: grey at 1, towards the first colour where it is better
 * (above, or below where `lowerIsBetter`) and another where it is worse, by the root of the
 * logarithm: double and half are as strong as each other, a twelfth less is seen.
 */
export function divergingColour(share: number | null, theme: Theme, lowerIsBetter = false): string {
  if (share === null || share <= 0) return "transparent";
  const strength = Math.min(1, Math.abs(Math.log10(share)) / STRONGEST);
  const isDark = (numbers(theme.ink)[0] ?? 0) > HALF;
  const deepest = isDark ? DEEPEST.onDark : DEEPEST.onLight;
  return mixed(theme.line, theme.series(share > 1 !== lowerIsBetter ? 0 : 1), deepest * Math.sqrt(strength));
}

/** Two colours as browsers compute them, `rgb(0, 114, 178)`, mixed with `part` of the second. */
export function mixed(one: string, other: string, part: number): string {
  const [from, to] = [numbers(one), numbers(other)];
  const parts = from.map((value, place) => Math.round(value + ((to[place] ?? value) - value) * part));
  return `rgb(${parts.join(", ")})`;
}

function numbers(colour: string): number[] {
  return (colour.match(/[\d.]+/g) ?? []).slice(0, 3).map(Number);
}

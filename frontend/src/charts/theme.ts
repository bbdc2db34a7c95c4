import { SERIES } from "./view";

/** Colours of the page's tokens, as the browser resolves them for the theme at hand. */
export interface Theme {
  ink: string;
  soft: string;
  line: string;
  surface: string;
  font: string;
  series(slot: number): string;
}

let known: Theme | null = null;

/** The tokens as they stand, read once for all charts of a page. */
export function theme(): Theme {
  known ??= read(document.body);
  return known;
}

/** Calls `redraw` whenever light and dark change, by the system, the switch or for paper. */
export function onThemeChange(redraw: () => void): void {
  const changed = (): void => {
    known = null;
    redraw();
  };
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", changed);
  // paper is white, also where the screen is dark
  matchMedia("print").addEventListener("change", changed);
  document.addEventListener("themechange", changed);
}

const TOKENS = ["ink", "ink-soft", "line", "surface"];

/** Through elements, all asked at once: a custom property itself keeps its `light-dark()`. */
function read(element: HTMLElement): Theme {
  const tokens = [...TOKENS, ...Array.from({ length: SERIES }, (_, index) => `series-${index + 1}`)];
  const probes = element.appendChild(document.createElement("span"));
  probes.hidden = true;
  probes.append(
    ...tokens.map((token) => {
      const probe = document.createElement("i");
      probe.style.color = `var(--${token})`;
      return probe;
    }),
  );
  const colours = Array.from(probes.children, (probe) => getComputedStyle(probe).color);
  probes.remove();
  const [ink = "", soft = "", line = "", surface = "", ...series] = colours;
  return {
    ink,
    soft,
    line,
    surface,
    font: getComputedStyle(element).fontFamily,
    series: (slot: number) => series[slot % SERIES] ?? "",
  };
}

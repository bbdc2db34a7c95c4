import { screenTiles, type Tiles } from "./patterns";

/** Colours of the page's tokens, as the browser resolves them for the theme at hand. */
export interface Theme {
  ink: string;
  soft: string;
  line: string;
  surface: string;
  font: string;
  tiles: Tiles;
  series(slot: number): string;
}

const SERIES = 10;

let known: Theme | null = null;

/** The tokens as they stand, read once for all charts of a page. */
export function theme(): Theme {
  known ??= read(document.body);
  return known;
}

/** Calls `redraw` whenever light and dark change, by the system or by the switch. */
export function onThemeChange(redraw: () => void): void {
  const changed = (): void => {
    known = null;
    redraw();
  };
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", changed);
  document.addEventListener("themechange", changed);
}

/** Through `element`: a custom property itself keeps its `light-dark()`. */
function read(element: HTMLElement): Theme {
  const probe = element.appendChild(document.createElement("span"));
  probe.hidden = true;
  const colour = (token: string): string => {
    probe.style.color = `var(--${token})`;
    return getComputedStyle(probe).color;
  };
  const series = Array.from({ length: SERIES }, (_, index) => colour(`series-${index + 1}`));
  const found = {
    ink: colour("ink"),
    soft: colour("ink-soft"),
    line: colour("line"),
    surface: colour("surface"),
    font: getComputedStyle(element).fontFamily,
    tiles: screenTiles,
    series: (slot: number) => series[slot % SERIES] ?? "",
  };
  probe.remove();
  return found;
}

/** Colours of the page's tokens, as the browser resolves them for the theme at hand. */
export interface Theme {
  ink: string;
  soft: string;
  line: string;
  surface: string;
  font: string;
  series(slot: number): string;
}

const SERIES = 10;

/** Reads the tokens through `element`: a custom property itself keeps its `light-dark()`. */
export function themeOf(element: HTMLElement): Theme {
  const probe = element.appendChild(document.createElement("span"));
  probe.hidden = true;
  const colour = (token: string): string => {
    probe.style.color = `var(--${token})`;
    return getComputedStyle(probe).color;
  };
  const series = Array.from({ length: SERIES }, (_, index) => colour(`series-${index + 1}`));
  const theme = {
    ink: colour("ink"),
    soft: colour("ink-soft"),
    line: colour("line"),
    surface: colour("surface"),
    font: getComputedStyle(element).fontFamily,
    series: (slot: number) => series[slot % SERIES] ?? "",
  };
  probe.remove();
  return theme;
}

/** Calls `redraw` whenever the system changes between light and dark. */
export function onThemeChange(redraw: () => void): void {
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
}

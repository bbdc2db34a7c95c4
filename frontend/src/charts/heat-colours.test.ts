import { expect, test } from "vitest";
import { divergingColour, mixed } from "./heat-colours";
import type { Theme } from "./theme";

const theme: Theme = {
  ink: "rgb(0, 0, 0)",
  soft: "rgb(90, 90, 90)",
  line: "rgb(200, 200, 200)",
  surface: "rgb(255, 255, 255)",
  font: "sans-serif",
  series: (slot) => ["rgb(0, 0, 255)", "rgb(255, 100, 0)"][slot] ?? "",
};

test("the baseline itself has no colour of either side", () => {
  expect(divergingColour(1, theme)).toBe(theme.line);
});

test("double and half are as strong as each other, in colours of their own", () => {
  const [above, below] = [divergingColour(2, theme), divergingColour(0.5, theme)];
  expect(above).not.toBe(below);
  const red = Number(above.match(/\d+/)?.[0]);
  expect(200 - red).toBe(Math.round(200 * 0.67 * Math.sqrt(Math.log10(2))));
});

test("a small difference can be seen", () => {
  const blue = (colour: string): number => Number(colour.match(/\d+(?=\)$)/)?.[0]);
  expect(blue(divergingColour(0.999, theme)) - blue(divergingColour(0.92, theme))).toBeGreaterThan(20);
});

test("beyond ten times a colour gets no stronger", () => {
  expect(divergingColour(10, theme)).toBe(divergingColour(1000, theme));
});

test("what is not known has no colour", () => {
  expect(divergingColour(null, theme)).toBe("transparent");
  expect(divergingColour(0, theme)).toBe("transparent");
});

test("colours are mixed as browsers compute them", () => {
  expect(mixed("rgb(0, 0, 0)", "rgb(100, 200, 50)", 0.5)).toBe("rgb(50, 100, 25)");
});

/** WCAG 2: (lighter + 0.05) / (darker + 0.05). */
function contrast(one: string, other: string): number {
  const luminances = [one, other].map((colour) => {
    const [red = 0, green = 0, blue = 0] = (colour.match(/\d+/g) ?? []).map((part) => {
      const value = Number(part) / 255;
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  });
  return (Math.max(...luminances) + 0.05) / (Math.min(...luminances) + 0.05);
}

test.each([
  ["light", "rgb(26, 32, 38)", "rgb(220, 225, 229)", ["rgb(0, 114, 178)", "rgb(194, 106, 0)"]],
  ["dark", "rgb(229, 233, 236)", "rgb(45, 52, 58)", ["rgb(75, 166, 222)", "rgb(240, 165, 58)"]],
])("numbers can be read on every colour in %s", (_name, ink, line, series) => {
  const own: Theme = { ...theme, ink, line, series: (slot) => series[slot] ?? "" };
  for (const share of [0.01, 0.1, 0.5, 1, 2, 10, 100]) {
    expect(contrast(ink, divergingColour(share, own))).toBeGreaterThanOrEqual(4.5);
  }
});

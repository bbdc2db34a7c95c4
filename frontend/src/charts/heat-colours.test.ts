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

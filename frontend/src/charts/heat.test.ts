import { expect, test } from "vitest";
import { divergingColour } from "./heat-colours";
import { heat, remarkLines } from "./heat";
import type { Theme } from "./theme";
import type { ChartFigure } from "./view";

const theme = { ink: "rgb(0, 0, 0)", line: "rgb(200, 200, 200)", series: (slot: number) => `rgb(${slot}, 0, 0)` } as Theme;
const figure = { rows: [], drawn_factors: [0, 1], at_titles: [], colours_title: "Times the baseline" } as unknown as ChartFigure;

interface Swatch {
  text: string;
  fillStyle: string;
}

test("a heat map says what its colours mean", () => {
  const chart = heat.configure(figure, document.body, theme) as {
    options: { plugins: { legend: { title: { text: string }; labels: { generateLabels(): Swatch[] } } } };
  };
  const { title, labels } = chart.options.plugins.legend;
  expect(title.text).toBe("Times the baseline");
  const swatches = labels.generateLabels();
  expect(swatches.map((one) => one.text)).toEqual(["0.1", "0.5", "1", "2", "10"]);
  expect(swatches.map((one) => one.fillStyle)).toEqual(
    swatches.map((one) => divergingColour(Number(one.text), theme)),
  );
});

test("what is better has the same colour whether it is more or less", () => {
  const swatches = ([true, false, null] as const).map((higher_is_better) => {
    const chart = heat.configure({ ...figure, higher_is_better } as ChartFigure, document.body, theme) as {
      options: { plugins: { legend: { labels: { generateLabels(): Swatch[] } } } };
    };
    return chart.options.plugins.legend.labels.generateLabels().map((one) => one.fillStyle);
  });
  const [higher = [], lower = [], neither] = swatches;
  expect(lower).toEqual(higher.toReversed());
  expect(higher[0]).not.toBe(higher[4]);
  expect(neither).toEqual(higher);
});

test("a remark stays within its cell, or is left to the pointer", () => {
  expect(remarkLines("too fast to measure (2)", 30, 1)).toEqual(["too fast to measure (2)"]);
  expect(remarkLines("too fast to measure (2)", 11, 3)).toEqual(["too fast to", "measure (2)"]);
  expect(remarkLines("too fast to measure (2)", 11, 1)).toEqual(["–"]);
  expect(remarkLines("too fast to measure (2)", 5, 9)).toEqual(["–"]);
});

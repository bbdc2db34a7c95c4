import { expect, test } from "vitest";
import { boxes } from "./boxes";
import type { Theme } from "./theme";
import type { ChartFigure, ChartRow } from "./view";

function row(group: string, measured: number[]): ChartRow {
  const sorted = [...measured].sort((a, b) => a - b);
  return {
    group,
    n: measured.length,
    low: sorted[0],
    median: sorted[Math.floor(sorted.length / 2)],
    high: sorted.at(-1),
    lower_quartile: sorted[1] ?? sorted[0],
    upper_quartile: sorted.at(-2) ?? sorted[0],
    interval: null,
    modes: [],
    values: measured,
    hollow: [],
  } as unknown as ChartRow;
}

test("the axis of boxes has no room below zero", () => {
  const theme = { series: () => "" } as unknown as Theme;
  const axis = (lowest: number): object => {
    const rows = [row("many", [lowest, 90, 92, 94, 98])];
    const figure = { axis: "linear", axis_title: "", colours: [], rows, shown: { name: "", factor: 1 } } as unknown as ChartFigure;
    const { options } = boxes.configure(figure, document.createElement("div"), theme) as { options: { scales: { x: object } } };
    return options.scales.x;
  };
  expect(axis(2)).toMatchObject({ min: 0 });
  expect(axis(-2)).not.toHaveProperty("min");
  expect(axis(60)).not.toHaveProperty("min");
});

test("the axis of boxes reaches to the dots of groups that are too small for one", () => {
  const rows = [row("many", [86, 90, 92, 94, 98]), row("few", [27.8, 29.4])];
  const figure = { axis: "linear", axis_title: "", colours: [], rows, shown: { name: "", factor: 1 } } as unknown as ChartFigure;
  const theme = { series: () => "" } as unknown as Theme;
  const { options } = boxes.configure(figure, document.createElement("div"), theme) as unknown as {
    options: { scales: { x: { suggestedMin: number; suggestedMax: number } } };
  };
  expect(options.scales.x.suggestedMin).toBe(27.8);
  expect(options.scales.x.suggestedMax).toBe(98);
});

import type { Chart } from "chart.js";
import { expect, test } from "vitest";
import { step } from "./arrow-keys";

function chart(...lines: (number | null)[][]): Chart {
  const elements = lines.map((line) =>
    line.map((x) => ({ x: x ?? Number.NaN, y: 1 })),
  );
  return {
    data: { datasets: lines.map(() => ({})) },
    getDatasetMeta: (index: number) => ({ data: elements[index] }),
  } as unknown as Chart;
}

const at = (datasetIndex: number, index: number) => ({ datasetIndex, index });

test("the first key goes to the first point, and the ends hold", () => {
  const bars = chart([1, 2, 3]);
  expect(step(bars, undefined, "ArrowRight")).toEqual(at(0, 0));
  expect(step(bars, at(0, 2), "ArrowRight")).toEqual(at(0, 2));
  expect(step(bars, at(0, 0), "ArrowLeft")).toEqual(at(0, 0));
  expect(step(bars, at(0, 0), "End")).toEqual(at(0, 2));
});

test("what is not drawn is stepped over", () => {
  expect(step(chart([1, null, 3]), at(0, 0), "ArrowDown")).toEqual(at(0, 2));
});

test("up and down change lines, round and round, and stay at the place", () => {
  const lines = chart([1, 2, 3], [1, 2]);
  expect(step(lines, at(0, 2), "ArrowDown")).toEqual(at(1, 1));
  expect(step(lines, at(1, 1), "ArrowDown")).toEqual(at(0, 1));
});

test("other keys lead nowhere, and so does a chart without points", () => {
  expect(step(chart([1]), undefined, "a")).toBeUndefined();
  expect(step(chart([]), undefined, "ArrowRight")).toBeUndefined();
});

import { expect, test } from "vitest";
import { stepText } from "./over-time";
import { addressOf, merged } from "./finer-stretches";
import type { OverTimeChart, OverTimeRow } from "./view";

const row = (run: number, began = 0): OverTimeRow => ({ label: "", run, slot: 0, nth: 0, n: 1, points: [], began });
const chart = (part: Partial<OverTimeChart>): OverTimeChart => ({
  measure: "rand_read.iops.over-time",
  axis: "linear",
  axis_title: "kIOPS",
  along_title: "",
  by_wall: false,
  rows: [row(1), row(2)],
  finer: "/api/v1/runs/over-time/?run=1,2",
  factor: 1000,
  ...part,
});
const coarse: OverTimeRow["points"][] = [
  [[1, 1, 2, 3], [5, 1, 2, 3], [9, 1, 2, 3]],
  [[5, 7, 7, 7]],
];

test("finer stretches take the place of the coarse points of its span, in the unit of the axis", () => {
  const answer = { lines: [{ run: 1, stretches: [[4, 1000, 2000, 3000], [6, 0, 0, 0]] as OverTimeRow["points"] }] };
  expect(merged(chart({}), coarse, answer)).toEqual([
    [[1, 1, 2, 3], [4, 1, 2, 3], [6, 0, 0, 0], [9, 1, 2, 3]],
    [[5, 7, 7, 7]],
  ]);
});

test("ticks of a short span have the digits that tell them apart", () => {
  expect([29.905, 29.91].map((at) => stepText(at, 0.005))).toEqual(["29.905", "29.910"]);
  expect(stepText(20, 10)).toBe("20");
});

test("by the clock, seconds of a run are milliseconds of the axis", () => {
  const answer = { lines: [{ run: 1, stretches: [[4, 1000, 2000, 3000]] as OverTimeRow["points"] }] };
  const figure = chart({ by_wall: true, rows: [row(1, 100)] });
  expect(merged(figure, [[]], answer)).toEqual([[[104_000, 1, 2, 3]]]);
  expect(addressOf(figure, { min: 1000, max: 2500 })).toBe(
    "/api/v1/runs/over-time/?run=1,2&from_s=1&until_s=2.5",
  );
});

import { expect, it } from "vitest";
import { apart } from "./percentiles";

it("leaves out percentiles whose words would lie on each other, and never the highest", () => {
  expect(apart([0, 1, 2, 2.4, 3], 0.5)).toEqual([0, 1, 2.4, 3]);
  expect(apart([0, 1, 2], 1.5)).toEqual([0, 2]);
  expect(apart([1], 9)).toEqual([1]);
});

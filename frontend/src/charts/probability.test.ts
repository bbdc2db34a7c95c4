import { expect, test } from "vitest";
import { placeOf, ticksOf } from "./probability";

test.each([
  [0, 0],
  [90, 1],
  [99, 2],
  [99.9, 3],
  [99.99, 4],
])("the percentile %d stands at %d", (percent, place) => {
  expect(placeOf(percent)).toBeCloseTo(place, 9);
});

test.each([
  [[50, 95, 99.95], [50, 90, 99, 99.9]],
  [[1, 99.99], [50, 90, 99, 99.9, 99.99]],
  [[90, 99], [90, 99]],
])("curves through %j have ticks at %j", (percents, expected) => {
  expect(ticksOf(percents).map((tick) => tick.percent)).toEqual(expected);
});

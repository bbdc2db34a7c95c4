import { expect, test } from "vitest";
import { spread } from "./line-ends";

const ends = (...heights: number[]) => heights.map((y, index) => ({ x: 0, y, index }));

test("words with room stay where their lines end", () => {
  expect(spread(ends(10, 50, 30), 100).map((end) => [end.index, end.y])).toEqual([
    [0, 10],
    [2, 30],
    [1, 50],
  ]);
});

test("words that would lie on each other make room, and none falls below the floor", () => {
  const places = spread(ends(95, 96, 97), 100).map((end) => end.y);
  expect(places).toEqual([74, 87, 100]);
});

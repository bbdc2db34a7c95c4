import { expect, test } from "vitest";
import { roomFor, spread } from "./line-ends";

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

test("names at the ends of lines take at most a part of a narrow figure", () => {
  const labels = Array.from({ length: 11 }, (_, index) => `ext4 on loop · guests ${index} · all`);
  const figure = (clientWidth: number): HTMLElement => ({ clientWidth }) as HTMLElement;
  expect(roomFor(labels, figure(390))).toBe(117);
  const wide = roomFor(labels, figure(1440));
  expect(wide).toBeGreaterThan(150);
  expect(roomFor(labels, figure(3840))).toBe(wide);
  expect(roomFor(labels.slice(1), figure(390))).toBe(0);
});

import { expect, test } from "vitest";
import { endNames, roomFor, spread } from "./line-ends";

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

const figure = (clientWidth: number): HTMLElement => ({ clientWidth }) as HTMLElement;

test("names at the ends of lines take at most a part of a narrow figure", () => {
  const labels = Array.from({ length: 11 }, (_, index) => `ext4 on loop of a long name · guests ${index} · all`);
  const narrow = endNames(labels, figure(390));
  expect(narrow[3]).toBe("guests 3 · all");
  expect(roomFor(narrow)).toBeLessThan(117);
  expect(endNames(labels, figure(3840))).toEqual(endNames(labels, figure(1440)));
  expect(endNames(labels.slice(1), figure(390))).toEqual([]);
  expect(roomFor([])).toBe(0);
});

test("names that would read the same at the ends of lines leave it to the legend", () => {
  const middles = Array.from({ length: 11 }, (_, index) => `begin${index} same${index === 3 ? "" : "s"}`);
  const alike = middles.map((word, index) => `${"x".repeat(30)}${index}${"y".repeat(30)} ${word.slice(-1)}`);
  expect(endNames(alike, figure(390))).toEqual([]);
});

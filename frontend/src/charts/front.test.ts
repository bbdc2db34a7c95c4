import { expect, test } from "vitest";
import { namePlaces } from "./front";

const AREA = { left: 40, right: 400, bottom: 300 };
const middles = (points: Parameters<typeof namePlaces>[0]): (number | undefined)[] =>
  namePlaces(points, AREA).map((place) => place && (place.top + place.bottom) / 2);

test("a name stands above its point", () => {
  expect(middles([{ x: 200, y: 100, radius: 7, width: 60 }])).toEqual([84]);
});

test("a name that would lie on another point stands below", () => {
  expect(middles([{ x: 200, y: 100, radius: 7, width: 60 }, { x: 215, y: 84, radius: 4, width: 0 }])).toEqual([116, undefined]);
});

test("a name that has no room above or below stands beside its point", () => {
  const others = [84, 116].map((y) => ({ x: 215, y, radius: 4, width: 0 }));
  const [place] = namePlaces([{ x: 200, y: 100, radius: 7, width: 60 }, ...others], AREA);
  expect(place && [place.left, place.right, place.top]).toEqual([211, 271, 93.5]);
});

test("a name without free ground is left out", () => {
  const others = [84, 100, 116].flatMap((y) => [185, 215].map((x) => ({ x, y, radius: 4, width: 0 })));
  expect(middles([{ x: 200, y: 100, radius: 7, width: 60 }, ...others])[0]).toBe(undefined);
});

test("names do not lie on each other, and stay within the chart", () => {
  const [one, two] = namePlaces([{ x: 395, y: 10, radius: 7, width: 60 }, { x: 365, y: 42, radius: 7, width: 60 }], AREA);
  expect(one && two && (one.bottom <= two.top || two.bottom <= one.top)).toBe(true);
  expect(one?.right).toBe(400);
  expect(one?.top).toBeGreaterThanOrEqual(0);
});

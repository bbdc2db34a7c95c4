import { expect, test } from "vitest";
import { DASHES, dashesOf } from "./marks";
import { SERIES } from "./view";

test("lines of one colour have dashes of their own", () => {
  const slots = [0, 1, 0, SERIES, 0];
  const dashes = slots.map((_slot, index) => dashesOf(slots, index));
  expect(dashes).toEqual([DASHES[0], DASHES[0], DASHES[1], DASHES[2], DASHES[3]]);
});

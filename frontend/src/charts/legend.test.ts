import { expect, test } from "vitest";
import { legendOf, MOST_COLOURS, markOfLine } from "./legend";
import type { Theme } from "./theme";

const RING = { text: "mq-deadline", fillStyle: "white", strokeStyle: "blue" };

test("the mark of a line is filled, whatever its first point is", () => {
  expect(markOfLine(RING).fillStyle).toBe("blue");
});

test("a mark that is a line has its dashes, a point has none", () => {
  expect(markOfLine({ ...RING, pointStyle: "line" }, [6, 4]).lineDash).toEqual([6, 4]);
  expect(markOfLine({ ...RING, pointStyle: "rect" }, [6, 4]).lineDash).toEqual([]);
});

test("more lines than there are colours have no legend, which would crowd out the plot", () => {
  const shown = [1, 2, MOST_COLOURS, MOST_COLOURS + 1].map((lines) => legendOf(lines, {} as Theme, { style: "line" }));
  expect(shown).toMatchObject([false, true, true, false].map((display) => ({ display })));
});

test("many lines whose names do not fit at their ends have a legend below", () => {
  const many = MOST_COLOURS + 1;
  expect(legendOf(many, {} as Theme, { ends: [] })).toMatchObject({ display: true, position: "bottom" });
  expect(legendOf(many, {} as Theme, { ends: ["a"] })).toMatchObject({ display: false });
  expect(legendOf(2, {} as Theme, { ends: [] })).not.toHaveProperty("position");
});

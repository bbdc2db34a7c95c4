import { expect, test } from "vitest";
import { markOfLine } from "./legend";

const RING = { text: "mq-deadline", fillStyle: "white", strokeStyle: "blue" };

test("the mark of a line is filled, whatever its first point is", () => {
  expect(markOfLine(RING).fillStyle).toBe("blue");
});

test("a mark that is a line has its dashes, a point has none", () => {
  expect(markOfLine({ ...RING, pointStyle: "line" }, [6, 4]).lineDash).toEqual([6, 4]);
  expect(markOfLine({ ...RING, pointStyle: "rect" }, [6, 4]).lineDash).toEqual([]);
});

import { expect, test } from "vitest";
import { isMarked, tickText, timeText } from "./axes";

const VALUES = [0, 0.000_001, 0.5, 0.12345, 1, 45, 99.995, 123.456, 999.4, 999.96, 1000, 2048, 9999, 123_456, 5e9];

test.each(["en", "ja"])("a tick is written as %s writes numbers", (lang) => {
  document.documentElement.lang = lang;
  for (const value of [...VALUES, ...VALUES.slice(1).map((one) => -one)]) {
    const notation = Math.abs(value) < 10_000 ? "standard" : "compact";
    const written = value.toLocaleString(lang, { maximumSignificantDigits: 4, notation });
    expect(tickText(value)).toBe(written);
  }
});

test("a log axis has words at decades, and between them where it spans few", () => {
  const marked = (span: number): number[] =>
    [0.01, 0.02, 1, 2, 3, 5, 10, 40, 50, 1e6].filter((value) => isMarked(value, span));
  expect(marked(1e4)).toEqual([0.01, 1, 10, 1e6]);
  expect(marked(6)).toEqual([0.01, 0.02, 1, 2, 5, 10, 50, 1e6]);
});

test.each([
  [10, "µs", "10 µs"],
  [1000, "µs", "1 ms"],
  [20_000, "µs", "20 ms"],
  [5e6, "µs", "5 s"],
  [5e9, "µs", "5,000 s"],
  [0.5, "ms", "500 µs"],
  [0, "ms", "0 ms"],
])("%d %s on an axis of decades is %s", (value, unit, text) => {
  document.documentElement.lang = "en";
  expect(timeText(value, unit)).toBe(text);
});

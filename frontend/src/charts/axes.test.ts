import { expect, test } from "vitest";
import type { Theme } from "./theme";
import { isMarked, labelAxis, prefixed, roomAround, textOf, tickText, timeText } from "./axes";

const VALUES = [0, 0.000_001, 0.5, 0.12345, 1, 45, 99.995, 123.456, 999.4, 999.96, 1000, 2048, 9999];

test.each(["en", "ja"])("a tick is written as %s writes numbers", (lang) => {
  document.documentElement.lang = lang;
  for (const value of [...VALUES, ...VALUES.slice(1).map((one) => -one)]) {
    const plain = value.toLocaleString(lang, { maximumSignificantDigits: 4 });
    expect(tickText(value)).toBe(plain.replace("-", "−"));
  }
});

test.each(["en", "ja"])("a large number has the prefix that tables have, in %s as well", (lang) => {
  document.documentElement.lang = lang;
  const large = [9999.6, 12_800, -12_800, 123_456, 999_999, 1e6, 2.5e9, 1e18];
  expect(large.map(tickText)).toEqual(["10k", "12.8k", "−12.8k", "123.5k", "1M", "1M", "2.5G", "1000P"]);
});

test.each([
  ["µs", "10,000"],
  ["Latency µs", "10,000"],
  ["ms, logarithmic", "10,000"],
  ["完了レイテンシー µs（対数）", "10,000"],
  ["MB/s", "10,000"],
  ["s/GB", "10,000"],
  ["kIOPS", "10,000"],
  ["IOPS", "10k"],
  ["Requests /s", "10k"],
  ["", "10k"],
])("ten thousand beside “%s” is %s", (title, text) => {
  document.documentElement.lang = "en";
  expect(textOf(title)(10_000)).toBe(text);
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

test("an axis begins before what was measured first and ends behind what was measured last", () => {
  const linear = roomAround([1, 2, 11], "linear");
  expect(linear.min).toBeCloseTo(0.7);
  expect(linear.max).toBeCloseTo(11.3);
  const log = roomAround([1, 8, 64], "log");
  expect(log.min! * log.max!).toBeCloseTo(64);
  expect(log.min).toBeLessThan(1);
  expect(roomAround([4, 4], "log")).toEqual({});
});

test("labels beside bars are wrapped within half of what the values at their ends leave", () => {
  const axis = labelAxis(["ext4 on loop · guests 1"], {} as Theme) as { ticks: { callback: (this: object, ...of: number[]) => string[] } };
  const lines = (right: number): string[] =>
    axis.ticks.callback.call({ chart: { width: 320, options: { layout: { padding: { right } } } } }, 0, 0);
  expect(lines(0)).toEqual(["ext4 on loop ·", "guests 1"]);
  expect(lines(160)).toEqual(["ext4 on", "loop ·", "guests 1"]);
});

test("a unit has one prefix at most, as on pages", () => {
  const units = [
    prefixed("IOPS", 999),
    prefixed("IOPS", 1000),
    prefixed("/s", 12_800),
    prefixed("IOPS", 2.5e6),
    prefixed("MB/s", 12_800),
    prefixed("%", 100),
  ];
  expect(units.map(({ name }) => name)).toEqual(["IOPS", "kIOPS", "k/s", "MIOPS", "MB/s", "%"]);
  expect(units.map(({ factor }) => factor)).toEqual([1, 1000, 1000, 1e6, 1, 1]);
});

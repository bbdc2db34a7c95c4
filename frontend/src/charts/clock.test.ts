import { describe, expect, it } from "vitest";
import { momentText, timeTicks } from "./clock";

const at = (text: string): number => Date.parse(text);
const labels = (from: string, to: string, most: number): string[] =>
  timeTicks(at(from), at(to), most, "en").map(({ label }) => label.join(" | "));

describe("a clock has words at whole steps", () => {
  it("seconds within a minute, the day once", () => {
    expect(labels("2026-01-31T08:00:00.5Z", "2026-01-31T08:00:31Z", 4)).toEqual([
      "08:00:10 | 31 Jan 2026",
      "08:00:20",
      "08:00:30",
    ]);
  });
  it("hours over midnight, each day where it begins", () => {
    expect(labels("2026-01-31T18:30:00Z", "2026-02-01T07:00:00Z", 3)).toEqual([
      "00:00 | 1 Feb 2026",
      "06:00",
    ]);
  });
  it("months where they begin, over the end of a year", () => {
    expect(labels("2025-11-15T00:00:00Z", "2026-02-02T00:00:00Z", 4)).toEqual([
      "Dec 2025",
      "Jan 2026",
      "Feb 2026",
    ]);
  });
  it("years", () => {
    expect(labels("2019-05-01T00:00:00Z", "2026-05-01T00:00:00Z", 4)).toEqual(["2020", "2022", "2024", "2026"]);
  });
});

it("never has more words than there is room for, from milliseconds to decades", () => {
  const begin = at("2026-01-31T08:00:00Z");
  for (let span = 3; span < 1e12; span *= 3.7) {
    for (const most of [2, 5, 11]) {
      const ticks = timeTicks(begin, begin + span, most, "en");
      expect(ticks.length).toBeLessThanOrEqual(most + 1);
      expect(ticks.every(({ value }) => value >= begin && value <= begin + span)).toBe(true);
    }
  }
});

it("says a moment in UTC, as pages do", () => {
  expect(momentText(at("2026-01-31T23:05:01Z"), "en")).toBe("31 Jan 2026, 23:05:01");
});

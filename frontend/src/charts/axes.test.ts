import { expect, test } from "vitest";
import { tickText } from "./axes";

const VALUES = [0, 0.000_001, 0.5, 0.12345, 1, 45, 99.995, 123.456, 999.4, 999.96, 1000, 2048, 9999, 123_456, 5e9];

test.each(["en", "ja"])("a tick is written as %s writes numbers", (lang) => {
  document.documentElement.lang = lang;
  for (const value of [...VALUES, ...VALUES.slice(1).map((one) => -one)]) {
    const notation = Math.abs(value) < 10_000 ? "standard" : "compact";
    const written = value.toLocaleString(lang, { maximumSignificantDigits: 4, notation });
    expect(tickText(value)).toBe(written);
  }
});

import { describe, expect, test } from "vitest";
import {
  againstOf,
  boxesOf,
  cellsOf,
  changesOf,
  decadeBelow,
  dotsBeside,
  extent,
  isPercent,
  linesOf,
  outermost,
  points,
  seriesOf,
} from "./series";
import { partOf } from "./figure";
import type { ChartFigure, ChartRow } from "./view";

function row(part: Partial<ChartRow>): ChartRow {
  return {
    group: "1",
    label: "local",
    slot: 0,
    at: [],
    n: 0,
    low: null,
    high: null,
    lower_quartile: null,
    upper_quartile: null,
    median: null,
    interval: null,
    modes: [],
    ratio: null,
    ratio_interval: null,
    values: [],
    hollow: [],
    runs: [],
    text: "",
    remark: "",
    readout: [],
    name: "",
    part: 0,
    ...part,
  };
}

function figure(part: Partial<ChartFigure>): ChartFigure {
  return {
    measure: "seq_write.throughput.mean",
    title: "Sequential write",
    higher_is_better: true,
    axis: "linear",
    axis_title: "MB/s",
    at_titles: [],
    along: null,
    along_title: "",
    along_axis: "linear",
    shown: { name: "MB/s", factor: 1e6 },
    baseline: null,
    percent: false,
    rate_title: "",
    colours_title: "",
    colours: [],
    drawn_factors: [0, 1],
    parts: [],
    latency: null,
    rows: [],
    ...part,
  };
}

const local = row({ median: 92e6, ratio: 1, values: [92e6] });
const mirror = row({
  group: "2",
  median: 33.12e6,
  interval: { low: 32e6, high: 35e6, kind: "range", coverage: null },
  ratio: 0.36,
  ratio_interval: { low: 0.35, high: 0.38, kind: "t", coverage: 0.95 },
  values: [32e6, 35e6],
});
const tooFast = row({ group: "3", remark: "too fast to measure" });

describe("in the shown unit", () => {
  const series = seriesOf(figure({ rows: [local, mirror, tooFast], baseline: "1" }));

  test("bars are medians, with the interval where there is one", () => {
    expect(series.bars[0]).toEqual({ x: 92 });
    expect(series.bars[1]).toEqual({ x: 33.12, xMin: 32, xMax: 35 });
  });

  test("what was not measured has no bar, not a bar of zero", () => {
    expect(series.bars[2]).toBeNull();
  });

  test("each run is a dot in its row", () => {
    expect(series.dots).toEqual([[92], [32, 35], []]);
  });

  test("the baseline is a line at its median", () => {
    expect(series.baseline).toBe(92);
  });

  test("the axis holds bars, intervals and dots", () => {
    expect(Math.max(...extent(series))).toBe(92);
    expect(Math.min(...extent(series))).toBe(32);
  });
});

describe("in percent of the baseline", () => {
  const inPercent = figure({ rows: [local, mirror, tooFast], baseline: "1", percent: true });
  const series = seriesOf(inPercent);

  test("the baseline is at 100", () => {
    expect(series.bars[0]).toEqual({ x: 100 });
    expect(series.baseline).toBe(100);
  });

  test("others stand at their share, with its own interval", () => {
    expect(series.bars[1]).toEqual({ x: 36, xMin: 35, xMax: 38 });
  });

  test("dots are shares of the baseline's median", () => {
    expect(series.dots[1]?.[0]).toBeCloseTo((32 / 92) * 100);
  });

  test("the baseline of another part is the same one", () => {
    const part = { ...inPercent, rows: [mirror], whole: inPercent };
    const { bars, dots, baseline } = seriesOf(part);
    expect(bars[0]?.x).toBe(36);
    expect(dots[0]?.[0]).toBeCloseTo((32 / 92) * 100);
    expect(baseline).toBe(100);
  });

  test("boxes are on the same axis", () => {
    const numbers = { n: 5, low: 46e6, median: 69e6, high: 92e6, lower_quartile: 46e6, upper_quartile: 92e6 };
    const boxed = figure({ rows: [local, row({ group: "3", ratio: 0.75, ...numbers })], baseline: "1", percent: true });
    expect(boxesOf(boxed)[1]).toMatchObject({ min: 50, median: 75, max: 100 });
  });

  test("without a baseline the figure stays in its unit", () => {
    const alone = figure({ rows: [row({ median: 5e6 })], percent: true });
    expect(isPercent(alone)).toBe(false);
    expect(seriesOf(alone).bars[0]).toEqual({ x: 5 });
  });
});

describe("two modes", () => {
  const both = row({ n: 12, median: 80e6, modes: [70e6, 90e6], ratio: null });
  const figures = figure({ rows: [local, both], baseline: "1" });

  test("are drawn as two, and no bar stands for both", () => {
    const series = seriesOf(figures);
    expect(series.bars[1]).toBeNull();
    expect(series.modes).toEqual([[], [70, 90]]);
    expect(extent(series)).toContain(90);
  });

  test("are shares of the baseline where all else is", () => {
    expect(seriesOf({ ...figures, percent: true }).modes[1]?.[1]).toBeCloseTo((90 / 92) * 100);
  });

  test("have no box and no colour of their own", () => {
    expect(boxesOf(figures)[1]).toBeNull();
    expect(cellsOf(figures).cells[1]?.share).toBeNull();
  });

  test("stand beside the line that leads through the others", () => {
    const at = (depth: number) => [{ text: String(depth), number: depth }];
    const rows = [{ ...local, at: at(1) }, { ...both, at: at(8) }, { ...local, at: at(32) }];
    const [line] = linesOf(figure({ rows, along: 0 }));
    expect(line?.points.map((point) => point.x)).toEqual([1, 32]);
    expect(line?.modes).toEqual([
      { x: 8, y: 70, row: 1 },
      { x: 8, y: 90, row: 1 },
    ]);
  });
});

test.each([
  [[122, 95510], 100],
  [[100, 5], 1],
  [[1000, 2000], 100],
  [[0.0025], 0.001],
  [[0], 1],
  [[], 1],
])("a log axis for %j begins at %d", (values, decade) => {
  expect(decadeBelow(values)).toBeCloseTo(decade);
});

test("a change is the distance from the baseline, with its interval", () => {
  const [same, less, unknown] = changesOf(figure({ rows: [local, mirror, tooFast], baseline: "1" }));
  expect(same).toEqual({ x: 0 });
  expect(less?.x).toBeCloseTo(-64);
  expect(less?.xMin).toBeCloseTo(-65);
  expect(unknown).toBeNull();
});

test("five runs have a box, four have none", () => {
  const numbers = { median: 3e6, low: 1e6, high: 5e6, lower_quartile: 2e6, upper_quartile: 4e6 };
  const [box, none] = boxesOf(figure({ rows: [row({ n: 5, ...numbers }), row({ n: 4, ...numbers })] }));
  expect(box).toMatchObject({ min: 1, q1: 2, median: 3, q3: 4, max: 5 });
  expect(none).toBeNull();
});

test("beside a box only the doubted stay, as rings; beside none all do", () => {
  const values = [1e6, 2e6, 3e6, 4e6, 5e6];
  const few = values.slice(2, 4);
  const rows = [row({ n: 5, median: 3e6, values, hollow: [3] }), row({ n: 2, values: few, hollow: [1] })];
  const shown = figure({ rows });
  const { dots, hollow } = dotsBeside(boxesOf(shown), seriesOf(shown));
  expect(dots).toEqual([[4], [3, 4]]);
  expect(hollow).toEqual([[true], [false, true]]);
});

test("parts of a chart share its axes, its middle and its best", () => {
  const cell = (down: string, across: string, part: number, median: number): ChartRow =>
    row({ part, median, at: [down, across, String(part)].map((text) => ({ text, number: null })) });
  const rows = [cell("a", "x", 0, 1e6), cell("b", "x", 0, 2e6), cell("b", "y", 1, 8e6)];
  const whole = figure({ rows, drawn_factors: [0, 1], parts: ["0", "1"] });
  const [first, second] = [partOf(whole, 0), partOf(whole, 1)];
  expect(first.rows).toHaveLength(2);
  expect(cellsOf(second)).toEqual({
    lines: ["a", "b"],
    columns: ["x", "y"],
    cells: [{ x: "1", y: "1", row: 0, share: 4 }],
  });
  expect([outermost(first), outermost(second)]).toEqual([null, 0]);
});

describe("along a number", () => {
  const at = (protocol: string, depth: number) => [
    { text: protocol, number: null },
    { text: String(depth), number: depth },
  ];
  const rows = [
    row({ name: "A", at: at("A", 32), median: 3e6 }),
    row({ name: "A", at: at("A", 1), median: 1e6, interval: { low: 0.5e6, high: 2e6, kind: "range", coverage: null } }),
    row({ name: "C", at: at("C", 1), median: 4e6 }),
    row({ name: "C", at: at("C", 32) }),
  ];
  const lines = linesOf(figure({ rows, along: 1 }));

  test("there is a line for each value of the other factors, in the order of the number", () => {
    expect(lines.map((line) => line.label)).toEqual(["A", "C"]);
    expect(lines[0]?.points).toEqual([
      { x: 1, y: 1, yMin: 0.5, yMax: 2, row: 1 },
      { x: 32, y: 3, row: 0 },
    ]);
  });

  test("latency stands against the rate where both were measured", () => {
    const times = rows.map((each, index) => ({ ...each, median: index === 0 ? null : 2e-3 }));
    const latency = figure({ rows: times, along: 1, shown: { name: "ms", factor: 1e-3 } });
    const [protocolA] = againstOf(figure({ rows, along: 1 }), latency);
    expect(protocolA?.points).toEqual([
      { x: 1, xMin: 0.5, xMax: 2, y: 2, yMin: 5e8, yMax: 2e9, row: 1 },
    ]);
  });

  test("what was not measured is no point", () => {
    expect(lines[1]?.points).toHaveLength(1);
  });

  test("two factors are the lines and columns of a heat map", () => {
    const cells = cellsOf(figure({ rows }));
    expect(cells.lines).toEqual(["A", "C"]);
    // numbers by their size, whatever comes first
    expect(cells.columns).toEqual(["1", "32"]);
    expect(cells.cells[0]).toEqual({ x: "1", y: "0", row: 0, share: 1 });
    expect(cells.cells[3]?.share).toBeNull();
  });
});

test("a group without a value keeps its place, as a point that is drawn nowhere", () => {
  expect(points([{ x: 2 }, null])).toEqual([
    { x: 2, y: "0" },
    { x: Number.NaN, y: "1" },
  ]);
});

describe("the row furthest to the better side", () => {
  const rows = [3, 9, 1].map((median) => row({ median }));

  test("is the highest, or the lowest where less is better", () => {
    expect(outermost(figure({ rows, higher_is_better: true }))).toBe(1);
    expect(outermost(figure({ rows, higher_is_better: false }))).toBe(2);
  });

  test("is none where no side is better, or there is hardly a choice", () => {
    expect(outermost(figure({ rows, higher_is_better: null }))).toBeNull();
    expect(outermost(figure({ rows: rows.slice(1), higher_is_better: true }))).toBeNull();
  });
});

/** What people read tails by: from the second on, each step is ten times rarer than the one before. */
const TICKS = [50, 90, 99, 99.9, 99.99, 99.999, 99.9999];

/** Where a percentile below 100 stands on a log-probability axis: 90, 99, 99.9 are 1, 2, 3. */
export function placeOf(percent: number): number {
  return -Math.log10(1 - percent / 100);
}

/** The ticks for curves through `percents`, as percentiles and their places. */
export function ticksOf(percents: number[]): { percent: number; value: number }[] {
  const [lowest, highest] = [Math.min(...percents), Math.max(...percents)];
  return TICKS.filter((tick) => tick >= lowest && tick <= highest).map((percent) => ({
    percent,
    value: placeOf(percent),
  }));
}

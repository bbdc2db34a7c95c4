/** Every kind of chart in one file: they share nearly all of it, and a page asks once. */
export * as against from "./against";
export * as bars from "./bars";
export * as boxes from "./boxes";
export * as change from "./change";
export * as heat from "./heat";
export * as lines from "./lines";
export * as overTime from "./over-time";
export * as percentiles from "./percentiles";

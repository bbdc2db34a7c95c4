import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { typesOf } from "../../chart-types.mjs";

test("the types are those of the schema: `make types` writes them anew", async () => {
  const schema = readFileSync("frontend/charts.schema.json", "utf8");
  expect(readFileSync("frontend/src/charts/view.ts", "utf8")).toBe(await typesOf(schema));
});

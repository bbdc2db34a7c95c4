// `node frontend/chart-types.mjs`: frontend/charts.schema.json into frontend/src/charts/view.ts.
// Both are in the repository, so that a build needs no generator; `make types` writes them anew.
import { readFile, writeFile } from "node:fs/promises";
import { compile } from "json-schema-to-typescript";

const HEAD = "// Generated from benchdash/pages/charts.py by `make types`: change it there.";

/** The types and constants of a schema, as the file has them. */
export async function typesOf(schema) {
  const { constants, $defs } = JSON.parse(schema);
  // one property for each class makes all of them names; the object itself is not wanted
  const properties = Object.fromEntries(
    Object.keys($defs).map((name) => [name, { $ref: `#/$defs/${name}` }]),
  );
  const root = { title: "Views", type: "object", properties, additionalProperties: false, $defs };
  const types = await compile(adapted(root), "Views", { bannerComment: HEAD, format: true });
  const values = Object.entries(constants).map(([name, value]) => `export const ${name} = ${value};`);
  return [types.replace(/export interface Views \{[^}]*\}\n+/, ""), ...values, ""].join("\n");
}

/** The schema as the compiler knows it: no other fields, tuples by `items`, texts without indents. */
function adapted(schema) {
  if (Array.isArray(schema)) return schema.map(adapted);
  if (schema === null || typeof schema !== "object") return schema;
  const { prefixItems, ...rest } = schema;
  const found = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, adapted(value)]));
  if (prefixItems) found.items = adapted(prefixItems);
  if (typeof found.description === "string") {
    found.description = found.description.replace(/\n +/g, "\n");
  }
  return found.type === "object" ? { additionalProperties: false, ...found } : found;
}

if (process.argv[1] === import.meta.filename) {
  const schema = await readFile("frontend/charts.schema.json", "utf8");
  await writeFile("frontend/src/charts/view.ts", await typesOf(schema));
}

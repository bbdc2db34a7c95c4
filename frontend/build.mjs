// `node frontend/build.mjs [--watch]`: frontend/src and frontend/styles into frontend/dist.
// Entry points keep their names (Django's manifest storage hashes them); chunks carry their own hash.
import { rm } from "node:fs/promises";
import { context } from "esbuild";

const outdir = "frontend/dist";
await rm(outdir, { recursive: true, force: true });

const bundle = await context({
  entryPoints: ["frontend/src/main.ts", "frontend/styles/main.css", "frontend/styles/icon.svg"],
  outdir,
  entryNames: "[name]",
  chunkNames: "chunks/[name]-[hash]",
  assetNames: "assets/[name]-[hash]",
  bundle: true,
  splitting: true,
  format: "esm",
  target: "es2022",
  minify: true,
  sourcemap: "linked",
  legalComments: "eof",
  loader: { ".svg": "copy", ".woff2": "file" },
  logLevel: "warning",
});
await bundle.rebuild();
if (process.argv.includes("--watch")) await bundle.watch();
else await bundle.dispose();

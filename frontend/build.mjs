// `node frontend/build.mjs [--watch]`: frontend/src and frontend/styles into frontend/dist.
// Entry points keep their names (Django's manifest storage hashes them); chunks carry their own hash.
// preload.json says which chunks a page needs beside main.js, so that it can ask for them at once.
import { rm, writeFile } from "node:fs/promises";
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
  metafile: true,
  plugins: [{ name: "preload", setup: (build) => build.onEnd(writePreloads) }],
});
await bundle.rebuild();
if (process.argv.includes("--watch")) await bundle.watch();
else await bundle.dispose();

/** By source, "charts/bars", what its module imports at once, itself among it. */
async function writePreloads({ metafile }) {
  const needed = (path) => [
    path,
    ...metafile.outputs[path].imports
      .filter(({ kind }) => kind === "import-statement")
      .flatMap((one) => needed(one.path)),
  ];
  const modules = Object.entries(metafile.outputs).filter(([, { entryPoint }]) =>
    entryPoint?.endsWith(".ts"),
  );
  const preloads = modules.map(([path, { entryPoint }]) => [
    entryPoint.replace("frontend/src/", "").replace(".ts", ""),
    [...new Set(needed(path))].map((one) => one.replace(`${outdir}/`, "")),
  ]);
  await writeFile(`${outdir}/preload.json`, JSON.stringify(Object.fromEntries(preloads)));
}

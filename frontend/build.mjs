// `node frontend/build.mjs [--watch]`: frontend/src and frontend/styles into frontend/dist.
// Entry points keep their names (Django's manifest storage hashes them); chunks carry their own hash.
// modules.json says which chunk a module is in, so that a page can ask for it at once.
import { readFile, rm, writeFile } from "node:fs/promises";
import { context } from "esbuild";

const outdir = "frontend/dist";
await rm(outdir, { recursive: true, force: true });

const bundle = await context({
  entryPoints: [
    "frontend/src/main.ts",
    ...["main.css", "api-docs.css", "icon.svg"].map((name) => `frontend/styles/${name}`),
  ],
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
  // its other file is CommonJS, whose helper would be a chunk that every page waits for
  alias: { svgcanvas: "svgcanvas/dist/svgcanvas.esm.js" },
  loader: { ".svg": "copy", ".woff2": "file" },
  logLevel: "warning",
  metafile: true,
  plugins: [
    { name: "modules", setup: (build) => build.onEnd(writeModules) },
    { name: "hammer", setup: (build) => build.onLoad({ filter: /hammerjs\/hammer\.js$/ }, asModule) },
  ],
});
await bundle.rebuild();
if (process.argv.includes("--watch")) await bundle.watch();
else await bundle.dispose();

/** Gestures for zooming, which leave themselves on the window where there is no CommonJS: see `alias`. */
async function asModule({ path }) {
  return { contents: `${await readFile(path, "utf8")}\nexport default window.Hammer;`, loader: "js" };
}

/** By source, "charts/all", the chunk that a page can name. */
async function writeModules({ metafile }) {
  const modules = Object.entries(metafile.outputs)
    .filter(([, { entryPoint }]) => entryPoint?.startsWith("frontend/src/"))
    .map(([path, { entryPoint }]) => [
      entryPoint.replace("frontend/src/", "").replace(".ts", ""),
      path.replace(`${outdir}/`, ""),
    ]);
  await writeFile(`${outdir}/modules.json`, JSON.stringify(Object.fromEntries(modules)));
}

// Builds the files for browsers: the app of web/ and the files of speedscope. web/README.md describes their use.
import { copyFileSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { directImports } from "./direct-imports.mjs";
import { root } from "./prepare.mjs";

const speedscope = "node_modules/speedscope/dist/release";
/** Speedscope's sample trace and file format description, which are not needed. */
const omitted = /[.]txt$|schema[.]json$/;

/** Builds into `folder`. Returns the input files. */
export async function writeWeb(folder) {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [
      { in: "web/boot.ts", out: "app" },
      { in: "web/style/app.css", out: "app" },
      { in: "web/charts.ts", out: "charts" },
    ],
    outdir: folder,
    plugins: [directImports],
    bundle: true,
    minify: true,
    format: "iife",
    platform: "browser",
    target: ["chrome120", "firefox121", "safari17"],
    jsx: "automatic",
    jsxImportSource: "preact",
    legalComments: "none",
    metafile: true,
    logLevel: "error",
  });
  mkdirSync(join(folder, "speedscope"), { recursive: true });
  for (const name of readdirSync(join(root, speedscope)).filter((each) => !omitted.test(each)))
    copyFileSync(join(root, speedscope, name), join(folder, "speedscope", name));
  return [...Object.keys(metafile.inputs), `${speedscope}/index.html`];
}

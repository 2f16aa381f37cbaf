// What browsers are given: the app of web/ and speedscope's own files. web/README.md tells how pages use them.
import { copyFileSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { directImports } from "./direct-imports.mjs";
import { root } from "./prepare.mjs";

const speedscope = "node_modules/speedscope/dist/release";
/** Its sample trace, and a description of its file format, which nobody needs to explore a profile. */
const leftOut = /[.]txt$|schema[.]json$/;

/** Builds into `folder`; answers the files that went in. */
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
  for (const name of readdirSync(join(root, speedscope)).filter((each) => !leftOut.test(each)))
    copyFileSync(join(root, speedscope, name), join(folder, "speedscope", name));
  return [...Object.keys(metafile.inputs), `${speedscope}/index.html`];
}

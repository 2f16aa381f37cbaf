// Builds the files for browsers: the app of web/ and the files of speedscope. web/README.md describes their use.
import { copyFileSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { directImports } from "./direct-imports.mjs";
import { root } from "./prepare.mjs";

const speedscope = "node_modules/speedscope/dist/release";
/** Speedscope's sample trace and file format description, which are not needed. */
const omitted = /[.]txt$|schema[.]json$/;

/**
 * Modules that inert pictures of the page do not need, and what replaces them: flame graphs, which the page draws on a
 * canvas; of echarts label layouts, patterns as fills, the Chinese texts, the dark theme, options of former versions,
 * pointer events, and animations.
 */
const unused = new Map([
  ["src/plugins/renderers/drawing/svg/svg-flame.ts", "export function svgFlame() {}"],
  ["src/plugins/renderers/drawing/svg/flame-script.ts", 'export const flameScript = "";'],
  ["echarts/lib/label/installLabelLayout.js", "export function installLabelLayout() {}"],
  ["echarts/lib/util/decal.js", "export function createOrUpdatePatternFromDecal() {}"],
  ["echarts/lib/i18n/langZH.js", "export default {};"],
  ["echarts/lib/theme/dark.js", "export default {};"],
  ["echarts/lib/preprocessor/backwardCompat.js", "export default function compatible() {}"],
  [
    "echarts/lib/util/styleCompat.js",
    "export const isEC4CompatibleStyle = () => false; export const warnDeprecated = () => {};" +
      "export const [convertFromEC4CompatibleStyle, convertToEC4StyleForCustomSerise] = [(s) => s, (s) => s];",
  ],
  ["echarts/lib/chart/helper/LargeSymbolDraw.js", "export default class {}"],
  ["zrender/lib/dom/HandlerProxy.js", "export default class {}"],
  [
    "zrender/lib/svg/cssAnimation.js",
    "export function createCSSAnimation() {} export const EASING_MAP = {}; export const ANIMATE_STYLE_MAP = {};",
  ],
]);

const withoutUnused = {
  name: "unused",
  setup: ({ onLoad }) => {
    for (const [file, contents] of unused)
      onLoad({ filter: new RegExp(`/${file.replaceAll(".", "[.]")}$`) }, () => ({ contents }));
  },
};

/** Parts of the catalogue of errors that no code of a page fails with; the build checks it. */
const programFailures = ["database", "profiles", "running", "store", "usage"];

const withoutProgramFailures = {
  name: "program-failures",
  setup: ({ onLoad }) =>
    onLoad({ filter: new RegExp(`[/]src[/]core[/]failures[/](?:${programFailures.join("|")})[.]ts$`) }, ({ path }) => {
      const names = [...readFileSync(path, "utf8").matchAll(/^export const (\w+)/gm)].map(([, name]) => name);
      return { contents: names.map((name) => `export const ${name} = {};`).join("\n") };
    }),
};

/** Fails if a bundled source uses an error that is not part of pages. */
function checkFailures(inputs) {
  const read = (file) => readFileSync(join(root, file), "utf8");
  const isSource = (file) => /^(?:src|web)[/].*[.]tsx?$/.test(file);
  const left = readdirSync(join(root, "src/core/failures"))
    .filter((name) => !programFailures.some((part) => name.startsWith(part)))
    .map((name) => read(`src/core/failures/${name}`))
    .join("\n");
  for (const file of inputs.filter(isSource))
    for (const [, code] of read(file).matchAll(/new Failure\(\s*"([^"]+)"/g))
      if (!new RegExp(`^  "?${code}"?: `, "m").test(left))
        throw new Error(`${file} fails with ${code}, which scripts/web.mjs leaves out of pages`);
}

/** The chart script takes the catalogue of errors, which is as large as the app, from the app's script. */
const sharedFailures = {
  name: "shared-failures",
  setup: ({ onLoad }) =>
    onLoad({ filter: /[/]src[/]core[/]failures[/]failure[.]ts$/ }, () => ({
      contents: "export const { Failure, isFailure } = globalThis.perfkeepFailures;",
    })),
};

/** Builds into `folder`. Returns the input files. */
export async function writeWeb(folder) {
  const app = await scripts(
    folder,
    [
      { in: "web/boot.ts", out: "app" },
      { in: "web/style/app.css", out: "app" },
    ],
    [withoutProgramFailures],
  );
  const charts = await scripts(folder, [{ in: "web/charts.ts", out: "charts" }], [withoutUnused, sharedFailures]);
  checkFailures([...app, ...charts]);
  mkdirSync(join(folder, "speedscope"), { recursive: true });
  for (const name of readdirSync(join(root, speedscope)).filter((each) => !omitted.test(each)))
    copyFileSync(join(root, speedscope, name), join(folder, "speedscope", name));
  return [...app, ...charts, `${speedscope}/index.html`];
}

async function scripts(outdir, entryPoints, plugins) {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints,
    outdir,
    plugins: [...plugins, directImports],
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
  return Object.keys(metafile.inputs);
}

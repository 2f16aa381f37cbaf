// Builds the program (dist/cli.js) and the library with its type declarations (lib/). docs/adr/001-bundle.md says why in this form.
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { build } from "esbuild";
import { root, sourcesDigest } from "./prepare.mjs";

const scratch = join(root, ".cache", `build-${process.pid}`);
const native = ["@duckdb/node-bindings*", "@resvg/resvg-js*"];
const settings = {
  absWorkingDir: root,
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20.19",
  external: native,
  chunkNames: "chunks/[name]-[hash]",
  legalComments: "none",
  metafile: true,
  logLevel: "error",
};

/** The program: bundled and split as ES modules, then each file turned into CommonJS, which Node starts faster. */
async function program() {
  const digest = sourcesDigest();
  const split = join(scratch, "split");
  const { metafile } = await build({ ...settings, entryPoints: { cli: "src/cli/main.ts" }, outdir: split });
  writeFileSync(join(split, "package.json"), `{ "type": "module" }`);
  const files = readdirSync(split, { recursive: true }).filter((file) => file.endsWith(".js"));
  const fresh = join(scratch, "dist");
  await toCommonJs(split, files, fresh);
  writeFileSync(join(fresh, "package.json"), `{ "type": "commonjs" }\n`);
  writeFileSync(join(fresh, "THIRD-PARTY-LICENSES.txt"), licences(Object.keys(metafile.inputs)));
  writeFileSync(join(fresh, ".sources"), digest);
  chmodSync(join(fresh, "cli.js"), 0o755);
  swapIn(fresh, join(root, "dist"));
}

async function toCommonJs(folder, files, outdir) {
  const { outputFiles } = await build({
    absWorkingDir: folder,
    entryPoints: files,
    outdir,
    outbase: folder,
    format: "cjs",
    platform: "node",
    target: settings.target,
    supported: { "dynamic-import": false },
    define: { "import.meta.url": "moduleUrl" },
    write: false,
    logLevel: "error",
  });
  mkdirSync(join(outdir, "chunks"), { recursive: true });
  for (const { path, text } of outputFiles) writeFileSync(path, opening(path, text) + text);
}

function opening(path, text) {
  const shebang = basename(path) === "cli.js" ? "#!/usr/bin/env node\n" : "";
  const url = text.includes("moduleUrl") ? `const moduleUrl = require("node:url").pathToFileURL(__filename).href;\n` : "";
  return shebang + url;
}

async function library() {
  const fresh = join(scratch, "lib");
  const banner = { js: `import { createRequire } from "node:module"; const require = createRequire(import.meta.url);` };
  await build({ ...settings, entryPoints: { index: "src/index.ts" }, outdir: fresh, banner });
  const compiler = join(root, "node_modules/typescript-native/bin/tsc");
  const args = [compiler, "-p", "tsconfig.types.json", "--outDir", join(fresh, "types")];
  const { status, stdout } = spawnSync(process.execPath, args, { cwd: root, encoding: "utf8" });
  if (status !== 0) throw new Error(stdout);
  writeFileSync(join(fresh, ".sources"), sourcesDigest());
  swapIn(fresh, join(root, "lib"));
}

/** The licence texts of all packages that went into the bundle: each asks that its notice travels with copies. */
function licences(inputs) {
  const packages = new Set(inputs.map((input) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1]).filter(Boolean));
  return [...packages]
    .toSorted((a, b) => a.localeCompare(b, "en"))
    .map(licenceOf)
    .join("\n");
}

function licenceOf(name) {
  const folder = join(root, "node_modules", name);
  const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const texts = ["", "licenses"].flatMap((part) => licenceFiles(join(folder, part)));
  const text = texts.map((file) => readFileSync(file, "utf8").trim()).join("\n\n");
  return `${"=".repeat(80)}\n${name} ${version} (${license})\n${"=".repeat(80)}\n${text}\n`;
}

function licenceFiles(folder) {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && /^(licen[cs]e|copying|notice)/i.test(entry.name))
    .map(({ name }) => join(folder, name));
}

/** Takes the place of the old folder by renaming, so that nobody meanwhile sees half of a bundle. */
function swapIn(fresh, place) {
  const old = `${fresh}-old`;
  if (existsSync(place)) renameSync(place, old);
  renameSync(fresh, place);
}

try {
  await program();
  if (!process.argv.includes("--program")) await library();
} catch (error) {
  // esbuild has printed its own errors already.
  if (!Array.isArray(error.errors)) process.stderr.write(`${error.stack}\n`);
  process.exitCode = 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

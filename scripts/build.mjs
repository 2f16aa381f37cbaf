// Builds the program (dist/cli.js), the library (dist/index.js) and its type declarations (dist/types).
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { root, sourcesDigest } from "./prepare.mjs";

// Bundled CommonJS packages call require for Node's modules and for the native bindings, which cannot be bundled.
const requireBanner = `import { createRequire as nodeRequire } from "node:module"; const require = nodeRequire(import.meta.url);`;
const native = ["@duckdb/node-bindings*", "@resvg/resvg-js*"];

const entries = { cli: "src/cli/main.ts", index: "src/index.ts" };

async function bundle() {
  const digest = sourcesDigest();
  const fresh = join(root, ".cache", `dist-${process.pid}`);
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: entries,
    outdir: fresh,
    chunkNames: "chunks/[name]-[hash]",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    external: native,
    banner: { js: requireBanner },
    legalComments: "none",
    minifySyntax: true,
    minifyWhitespace: true,
    metafile: true,
    logLevel: "error",
  });
  writeFileSync(join(fresh, "THIRD-PARTY-LICENSES.txt"), licences(Object.keys(metafile.inputs)));
  chmodSync(join(fresh, "cli.js"), 0o755);
  writeFileSync(join(fresh, ".sources"), digest);
  swapIn(fresh);
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
  const texts = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file));
  const text = texts.map((file) => readFileSync(join(folder, file), "utf8").trim()).join("\n\n");
  return `${"=".repeat(80)}\n${name} ${version} (${license})\n${"=".repeat(80)}\n${text}\n`;
}

/** Takes the place of dist in one step each, so that a program started meanwhile never sees half a bundle. */
function swapIn(fresh) {
  const dist = join(root, "dist");
  const old = `${fresh}-old`;
  if (existsSync(dist)) renameSync(dist, old);
  renameSync(fresh, dist);
  rmSync(old, { recursive: true, force: true });
}

function declarations() {
  const types = join(root, "dist/types");
  rmSync(types, { recursive: true, force: true });
  const compiler = join(root, "node_modules/typescript-native/bin/tsc");
  const { status, stdout } = spawnSync(process.execPath, [compiler, "-p", "tsconfig.types.json"], { cwd: root, encoding: "utf8" });
  if (status !== 0) {
    process.stderr.write(stdout);
    process.exit(1);
  }
}

await bundle();
if (!process.argv.includes("--bundle-only")) declarations();

// Builds the program (dist/cli.js) and the library with its type declarations (lib/). docs/adr/001-bundle.md explains
// the form.
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { build } from "esbuild";
import { directImports } from "./direct-imports.mjs";
import { writeManPages } from "./man-pages.mjs";
import { withUrl, writePacks } from "./packs.mjs";
import { root, sourcesDigest } from "./prepare.mjs";
import { writeWeb } from "./web.mjs";

const scratch = join(root, ".cache", `build-${process.pid}`);
const native = ["@duckdb/node-bindings*", "@resvg/resvg-js*"];
const common = {
  absWorkingDir: root,
  bundle: true,
  platform: "node",
  target: "node20.19",
  external: native,
  legalComments: "none",
  logLevel: "error",
};
const settings = {
  ...common,
  splitting: true,
  format: "esm",
  chunkNames: "chunks/[name]-[hash]",
  metafile: true,
};

const entry = "src/cli/main.ts";

/**
 * Large packages: each is a separate file under `parts/`, loaded lazily.
 */
const large = /^(?:@modelcontextprotocol[/]sdk[/].*|echarts[/].*|yaml|re2js|saxes|tar-stream)$/;

/**
 * Builds the program: a few CommonJS packs, the large packages as separate files, and a small file that starts it from
 * V8's code cache.
 */
async function program() {
  const digest = sourcesDigest();
  const fresh = join(scratch, "dist");
  const { metafile } = await build({
    ...settings,
    entryPoints: [entry],
    plugins: [directImports, lazyParts],
    define: { "import.meta.url": "moduleUrl" },
    outdir: scratch,
    write: false,
  });
  const inputs = [...Object.keys(metafile.inputs), ...(await parts(fresh)), ...(await writeWeb(join(fresh, "web")))];
  writeFileSync(join(fresh, "package.json"), `{ "type": "commonjs" }\n`);
  const paths = Object.keys(metafile.inputs).filter((path) => /^src[/].*[.]ts$/.test(path));
  const packs = await writePacks({ paths, entry, common: { ...common, plugins: [lazyParts] }, fresh, scratch });
  const define = { packFiles: JSON.stringify(packs.files), mainPart: JSON.stringify(packs.mainPart) };
  writeFileSync(join(fresh, "cli.js"), `#!/usr/bin/env node\n${withUrl(await bundled("src/cli/start.ts", define))}`);
  writeFileSync(join(fresh, "THIRD-PARTY-LICENSES.txt"), licences(inputs));
  writeFileSync(join(fresh, ".sources"), digest);
  chmodSync(join(fresh, "cli.js"), 0o755);
  swapIn(fresh, join(root, "dist"));
  codeCache(packs, await bundled("src/cli/packs.ts", {}));
}

async function bundled(entryPoint, define) {
  const options = {
    format: "cjs",
    write: false,
    outdir: scratch,
    plugins: [directImports],
    define: { "import.meta.url": "moduleUrl", ...define },
  };
  const { outputFiles } = await build({ ...common, entryPoints: [entryPoint], ...options });
  return outputFiles[0].text;
}

/** Own files that are built as parts, by part: the texts of failures, which most commands do not need. */
const ownParts = new Map([["failures", { file: "src/core/failures/catalogue.ts", names: ["catalogue"] }]]);

const lazyParts = {
  name: "parts",
  setup: ({ onResolve, onLoad }) => {
    const imports = largeImports();
    for (const [part, { names }] of ownParts) imports.set(part, names);
    onResolve({ filter: /[/][a-z-]+[.]ts$/ }, ({ path, resolveDir }) => {
      const [part] = [...ownParts].find(([, { file }]) => resolve(resolveDir, path) === join(root, file)) ?? [];
      return part === undefined ? undefined : { path: part, namespace: "part" };
    });
    onResolve({ filter: /^node:child_process$/ }, ({ importer }) =>
      importer.includes("/node_modules/commander/") ? { path: "child_process", namespace: "spawn" } : undefined,
    );
    onLoad({ filter: /./, namespace: "spawn" }, () => ({ contents: lazySpawn }));
    onResolve({ filter: large }, ({ path }) => ({ path, namespace: "part" }));
    onResolve({ filter: /^[.][/]parts[/]/ }, ({ path, namespace }) =>
      namespace === "part" ? { path, external: true } : undefined,
    );
    onLoad({ filter: /./, namespace: "part" }, ({ path }) => ({ contents: lazyPart(path, imports.get(path) ?? []) }));
  },
};

/** For commander, which loads the module at once. */
const lazySpawn = `module.exports = { get spawn() { return require("node:child_process").spawn; } };\n`;

function lazyPart(specifier, names) {
  const getters = names.map(
    (name) => `get ${name}() { return (part ??= require("./parts/${partName(specifier)}.js")).${name}; }`,
  );
  return `let part;\nmodule.exports = { ${getters.join(", ")} };\n`;
}

function partName(specifier) {
  return specifier.replaceAll("/", "-");
}

/** Builds the large packages, reduced to the imported names. Returns the input files. */
async function parts(fresh) {
  const split = join(scratch, "split");
  const entries = join(scratch, "entries");
  mkdirSync(entries, { recursive: true });
  const imports = largeImports();
  for (const [specifier, names] of imports)
    writeFileSync(join(entries, `${partName(specifier)}.mjs`), `export { ${names.join(", ")} } from "${specifier}";\n`);
  for (const [part, { file, names }] of ownParts)
    writeFileSync(
      join(entries, `${part}.mjs`),
      `export { ${names.join(", ")} } from ${JSON.stringify(join(root, file))};\n`,
    );
  const entryPoints = [...imports.keys(), ...ownParts.keys()].map((each) => join(entries, `${partName(each)}.mjs`));
  const { metafile } = await build({
    ...settings,
    nodePaths: [join(root, "node_modules")],
    entryPoints,
    outdir: split,
  });
  writeFileSync(join(split, "package.json"), `{ "type": "module" }`);
  const files = readdirSync(split, { recursive: true }).filter((file) => file.endsWith(".js"));
  await toCommonJs(split, files, join(fresh, "parts"));
  return Object.keys(metafile.inputs);
}

/** The names that the sources import from the large packages, by specifier, without types. */
function largeImports() {
  const found = new Map();
  for (const file of readdirSync(join(root, "src"), { recursive: true }).filter((name) =>
    /(?<![.]test)[.]ts$/.test(name),
  )) {
    for (const [, names, specifier] of readFileSync(join(root, "src", file), "utf8").matchAll(
      /^import \{([^}]*)\} from "([^"]+)";/gm,
    )) {
      const values = names
        .split(",")
        .map((name) => name.trim())
        .filter((name) => name !== "" && !name.startsWith("type "));
      if (large.test(specifier)) found.set(specifier, [...(found.get(specifier) ?? []), ...values]);
    }
  }
  return new Map([...found].map(([specifier, names]) => [specifier, [...new Set(names)]]));
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
    write: false,
    logLevel: "error",
  });
  mkdirSync(join(outdir, "chunks"), { recursive: true });
  for (const { path, text } of outputFiles) writeFileSync(path, text);
}

/** Writes the code cache. Failures are warnings: the program runs without it, and a machine without git can build. */
function codeCache({ files, mainPart }, loaderText) {
  const loader = join(scratch, "packs.cjs");
  writeFileSync(loader, loaderText);
  const args = ["scripts/code-cache.mjs", "dist", loader, JSON.stringify(files), mainPart];
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: "utf8" });
  if (status !== 0) console.warn(`no code cache: ${stderr.trim().split("\n").at(-1)}`);
}

async function library() {
  const fresh = join(scratch, "lib");
  const banner = {
    js: `import { createRequire as requireOf } from "node:module"; const require = requireOf(import.meta.url);`,
  };
  const entryPoints = { index: "src/index.ts", plugin: "src/plugin.ts", contracts: "test/contracts/exported.ts" };
  const { metafile } = await build({
    ...settings,
    entryPoints,
    external: [...native, "vitest"],
    outdir: fresh,
    banner,
    plugins: [directImports],
  });
  writeFileSync(join(fresh, "THIRD-PARTY-LICENSES.txt"), licences(Object.keys(metafile.inputs)));
  const compiler = join(root, "node_modules/typescript-native/bin/tsc");
  const args = [compiler, "-p", "tsconfig.types.json", "--outDir", join(fresh, "types")];
  const { status, stdout } = spawnSync(process.execPath, args, { cwd: root, encoding: "utf8" });
  if (status !== 0) throw new Error(stdout);
  writeFileSync(join(fresh, ".sources"), sourcesDigest());
  swapIn(fresh, join(root, "lib"));
}

/** Licence texts of packages that do not contain one. */
const licenceFolder = join(root, "assets/licences");

/**
 * The licence texts of all bundled packages, which must be distributed with copies. Fails if one is missing.
 */
function licences(inputs) {
  const folders = new Set(
    inputs.map((input) => /^.*\bnode_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(input)?.[0]).filter(Boolean),
  );
  return [...folders]
    .map((folder) => licenceOf(resolve(root, folder)))
    .toSorted((a, b) => a.name.localeCompare(b.name, "en"))
    .map(({ text }) => text)
    .join("\n");
}

function licenceOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const found = [
    ...["", "licenses"].flatMap((part) => licenceFiles(join(folder, part))),
    join(licenceFolder, `${name}.txt`),
  ];
  const texts = found.filter((file) => existsSync(file)).map((file) => readFileSync(file, "utf8").trim());
  // Software in the public domain requires no notice.
  if (texts.length === 0 && license !== "Unlicense")
    throw new Error(`no licence text of ${name} ${version} (${license}): add it to ${licenceFolder}`);
  const text = texts.join("\n\n");
  return {
    name,
    text: `${"=".repeat(80)}\n${name} ${version} (${license})\n${"=".repeat(80)}\n${text}\n`,
  };
}

function licenceFiles(folder) {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && /^(licen[cs]e|copying|notice)/i.test(entry.name))
    .map(({ name }) => join(folder, name));
}

/** Replaces a folder by renaming, so that readers never see a partial bundle. */
function swapIn(fresh, target) {
  const old = `${fresh}-old`;
  if (existsSync(target)) renameSync(target, old);
  renameSync(fresh, target);
}

try {
  await program();
  if (!process.argv.includes("--program")) {
    await library();
    await writeManPages(join(root, "man"));
  }
} catch (error) {
  // esbuild has printed its own errors already.
  if (!Array.isArray(error.errors)) process.stderr.write(`${error.stack}\n`);
  process.exitCode = 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

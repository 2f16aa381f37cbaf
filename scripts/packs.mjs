// Splits the program into packs by the commands that need them, so that a start reads only what it uses.
// docs/adr/001-bundle.md explains the form.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { build } from "esbuild";
import { root } from "./prepare.mjs";

const rest = "rest";
const commonJs = { format: "cjs", platform: "node", supported: { "dynamic-import": false }, logLevel: "error" };

/**
 * Writes the packs of the chunks in `split` into `fresh`, which already contains the large packages. Returns the files
 * by pack name, and the part that is the chunk `entry`.
 */
export async function writePacks({ metafile, split, entry, fresh, scratch, target }) {
  const chunks = chunksOf(metafile);
  const packOf = await packsByUse({ chunks, split, entry, fresh, scratch, target });
  const files = {};
  for (const pack of new Set(packOf.values())) {
    const text = await packText(pack, { chunks, packOf, split, entry, target });
    files[pack] = `${pack}-${createHash("sha256").update(text).digest("hex").slice(0, 12)}.js`;
    writeFileSync(join(fresh, files[pack]), text);
  }
  return { files, mainPart: `pack:${packOf.get(entry)}/${entry}` };
}

/** The chunks that each chunk imports. */
function chunksOf({ outputs }) {
  const imported = ({ imports }) => imports.filter(({ external }) => !external).map(({ path }) => basename(path));
  return new Map(Object.entries(outputs).map(([path, output]) => [basename(path), imported(output)]));
}

/** The pack of each chunk: that of the first group of commands that loads it. */
async function packsByUse({ chunks, split, entry, fresh, scratch, target }) {
  const folder = join(scratch, "traced");
  await build({ absWorkingDir: split, entryPoints: [...chunks.keys()], outdir: folder, target, ...commonJs });
  writeFileSync(join(folder, "package.json"), `{ "type": "commonjs" }`);
  symlinkSync(join(fresh, "parts"), join(folder, "parts"));
  const used = loadedChunks(folder, entry);
  const packOf = new Map([...chunks.keys()].map((chunk) => [chunk, rest]));
  for (const [pack, names] of Object.entries(used))
    for (const name of names) if (packOf.get(name) === rest) packOf.set(name, pack);
  if (packOf.get(entry) === rest) for (const name of chunks.keys()) packOf.set(name, rest);
  return packOf;
}

/** The chunks that each group of commands loads; empty if it fails, because a program in one pack is only slower. */
function loadedChunks(folder, entry) {
  const found = join(folder, "used.json");
  const { status, stderr } = spawnSync(process.execPath, ["scripts/used-chunks.mjs", folder, entry, found], {
    cwd: root,
    encoding: "utf8",
  });
  if (status === 0) return JSON.parse(readFileSync(found, "utf8"));
  console.warn(`no packs: ${stderr.trim().split("\n").at(-1)}`);
  return {};
}

async function packText(pack, { chunks, packOf, split, entry, target }) {
  const own = [...chunks.keys()].filter((chunk) => packOf.get(chunk) === pack);
  const exported = new Set([
    entry,
    ...[...chunks].filter(([chunk]) => packOf.get(chunk) !== pack).flatMap(([, imports]) => imports),
  ]);
  const parts = own
    .filter((chunk) => exported.has(chunk))
    .map((chunk) => `${JSON.stringify(chunk)}: () => require("./${chunk}")`);
  const { outputFiles } = await build({
    stdin: { contents: `module.exports = {${parts.join(",\n")}};`, resolveDir: split, loader: "js" },
    plugins: [lazyBuiltins(split, own), elsewhere(pack, packOf)],
    bundle: true,
    write: false,
    outdir: split,
    charset: "ascii",
    minifyWhitespace: true,
    legalComments: "none",
    target,
    ...commonJs,
  });
  return withUrl(asciiOnly(withoutCopies(outputFiles[0].text)));
}

/**
 * esbuild copies the exports of a module for importers that are CommonJS, getter by getter. All importers here are
 * modules, so they can share the exports themselves: half the getters at start, and one call less for each use.
 */
function withoutCopies(text) {
  return text
    .replaceAll(/__toCommonJS\((\w+_exports)\)/g, "$1")
    .replaceAll(/__toESM\((require\("pack:[^"]+"\)),1\)/g, "$1");
}

/** Node's modules that most everyday commands do not use; each takes 0.3 to 2 ms to load. */
const slowBuiltins =
  "child_process dns http https net os perf_hooks readline stream/promises timers/promises tty v8 worker_threads zlib";
const slowBuiltin = new RegExp(`^node:(?:${slowBuiltins.replaceAll(" ", "|")})$`);

/** Loads slow modules of Node when one of their functions is first used. */
function lazyBuiltins(split, chunks) {
  const used = namedImports(chunks.map((chunk) => readFileSync(join(split, chunk), "utf8")));
  return {
    name: "lazy-builtins",
    setup: ({ onResolve, onLoad }) => {
      onResolve({ filter: slowBuiltin }, ({ path, namespace }) => {
        if (namespace === "builtin") return { path, external: true };
        return used.has(path) ? { path, namespace: "builtin" } : undefined;
      });
      onLoad({ filter: /./, namespace: "builtin" }, ({ path }) => ({ contents: lazyModule(path, used.get(path)) }));
    },
  };
}

function lazyModule(specifier, names) {
  const getters = [...names].map((name) => `get ${name}() { return load().${name}; }`);
  const load = `let found;\nconst load = () => (found ??= require("${specifier}"));\n`;
  return `${load}module.exports = { ${getters.join(", ")} };\n`;
}

/** The names that texts import, by module, without modules that one of them imports in another form. */
function namedImports(texts) {
  const [named, others] = [new Map(), new Set()];
  for (const text of texts) {
    for (const [, names, specifier] of text.matchAll(/^import ([^"]*?) ?(?:from )?"(node:[^"]+)";/gm)) {
      const list = /^\{([^{}]*)\}$/.exec(names)?.[1];
      if (list === undefined) others.add(specifier);
      const plain = (list ?? "").split(",").map((name) => name.trim().split(/ as /)[0]);
      named.set(specifier, new Set([...(named.get(specifier) ?? []), ...plain.filter((name) => name !== "")]));
    }
    for (const [, specifier] of text.matchAll(/\bimport\("(node:[^"]+)"\)/g)) others.add(specifier);
  }
  return new Map([...named].filter(([specifier, names]) => !others.has(specifier) && !names.has("default")));
}

/** Chunks of other packs and packages are resolved at run time. */
function elsewhere(pack, packOf) {
  const resolved = ({ path, kind }) => {
    if (kind === "entry-point") return undefined;
    const other = packOf.get(basename(path));
    if (!path.startsWith("./") || other === undefined) return { path, external: true };
    return other === pack ? undefined : { path: `pack:${other}/${basename(path)}`, external: true };
  };
  return { name: "elsewhere", setup: ({ onResolve }) => onResolve({ filter: /./ }, resolved) };
}

/**
 * Packs are read as Latin-1. esbuild escapes strings; the remaining characters are in regular expressions, which
 * support the same escapes.
 */
function asciiOnly(text) {
  return text.replaceAll(/(\\?)([^\0-\x7f])/g, (found, backslash, character) => {
    if (backslash !== "") throw new Error(`a backslash before a character that is not ASCII: ${found}`);
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

export function withUrl(text) {
  return `const moduleUrl = require("node:url").pathToFileURL(__filename).href;\n${text}`;
}

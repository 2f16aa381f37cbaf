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
    plugins: [elsewhere(pack, packOf)],
    bundle: true,
    write: false,
    outdir: split,
    charset: "ascii",
    minifyWhitespace: true,
    legalComments: "none",
    target,
    ...commonJs,
  });
  return withUrl(asciiOnly(outputFiles[0].text));
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

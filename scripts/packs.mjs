// Splits the program into packs by the commands that need them, so that a start reads only what it uses.
// docs/adr/001-bundle.md explains the form.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import { moduleOf, modulesOf, pathBelowRoot } from "./modules.mjs";
import { root } from "./prepare.mjs";

/** The pack that every command loads, and that of modules which no common command needs. */
const [first, rest] = ["everyday", "rest"];
const commonJs = { bundle: true, format: "cjs", supported: { "dynamic-import": false } };

/**
 * Writes packs of the modules at `paths` into `fresh`, which already contains the large packages. `common`:
 * settings of esbuild. Returns the files by pack name, and the part that is the module `entry`.
 */
export async function writePacks({ paths, entry, common, fresh, scratch }) {
  const program = { modules: await modulesOf(paths, common.target), entry, common };
  const packOf = await packsByUse(program, fresh, join(scratch, "traced"));
  const files = {};
  for (const pack of new Set(packOf.values())) {
    const text = await packText(pack, packOf, program);
    files[pack] = `${pack}-${createHash("sha256").update(text).digest("hex").slice(0, 12)}.js`;
    writeFileSync(join(fresh, files[pack]), text);
  }
  return { files, mainPart: partName(packOf, entry) };
}

/** The pack of each module: that of the first group of commands that evaluates it, else a seldom used one. */
async function packsByUse(program, fresh, folder) {
  const { modules, entry } = program;
  await writeTraced(program, folder);
  symlinkSync(join(fresh, "parts"), join(folder, "parts"));
  const used = evaluatedFiles(folder, tracedName(entry));
  const firstUser = (path) => Object.keys(used).find((pack) => used[pack].includes(tracedName(path)));
  const packOf = new Map([...modules.keys()].map((path) => [path, firstUser(path) ?? rest]));
  for (const pack of Object.keys(used)) addSeldom(pack, packOf, modules);
  return packOf;
}

/** Modules that only modules of a pack mention have a pack of their own, for commands that do more than the common. */
function addSeldom(pack, packOf, modules) {
  const found = [...packOf].flatMap(([path, own]) => (own === pack ? [path] : []));
  for (const path of found)
    for (const specifier of modules.get(path).imports.keys()) {
      const target = moduleOf(join(root, path), specifier);
      if (packOf.get(target) !== rest) continue;
      packOf.set(target, `${pack}-seldom`);
      found.push(target);
    }
}

/** A file name in the folder of traced modules. */
function tracedName(path) {
  return `${path.replaceAll("/", "~")}.js`;
}

/** Writes each module as a file that loads another one when it first uses a name of it. */
async function writeTraced({ modules, common }, folder) {
  mkdirSync(folder);
  writeFileSync(join(folder, "package.json"), `{ "type": "commonjs" }`);
  const lazily = {
    resolved: (module) => ({ path: module, namespace: "lazy" }),
    later: (module) => ({ path: `./${tracedName(module)}`, external: true }),
    specifierOf: (module) => `./${tracedName(module)}`,
  };
  await build({
    ...common,
    ...commonJs,
    entryPoints: [...modules.keys()].map((path) => ({ in: path, out: tracedName(path).replace(/[.]js$/, "") })),
    outdir: folder,
    plugins: [...common.plugins, linkedModules(modules, [...modules.keys()], lazily)],
  });
}

/** The files that each group of commands loads; empty if it fails, because a program in one pack is only slower. */
function evaluatedFiles(folder, entry) {
  const found = join(folder, "used.json");
  const { status, stderr } = spawnSync(process.execPath, ["scripts/used-modules.mjs", folder, entry, found], {
    cwd: root,
    encoding: "utf8",
  });
  if (status === 0) return JSON.parse(readFileSync(found, "utf8"));
  console.warn(`no packs: ${stderr.trim().split("\n").at(-1)}`);
  return {};
}

function partName(packOf, path) {
  return `pack:${packOf.get(path)}/${path}`;
}

async function packText(pack, packOf, { modules, entry, common }) {
  const own = [...modules.keys()].filter((path) => packOf.get(path) === pack);
  const others = [...modules].filter(([path]) => packOf.get(path) !== pack);
  const exported = new Set([entry, ...others.flatMap(([, { linked }]) => [...linked])]);
  const parts = own
    .filter((path) => exported.has(path))
    .map((path) => `${JSON.stringify(path)}: () => require(${JSON.stringify(join(root, path))})`);
  const elsewhere = {
    // Every command has loaded the first pack; others are loaded when a name of theirs is used.
    resolved: (module) => {
      if (packOf.get(module) === pack) return undefined;
      const isLoaded = packOf.get(module) === first;
      return isLoaded ? { path: partName(packOf, module), external: true } : { path: module, namespace: "lazy" };
    },
    later: (module) => (packOf.get(module) === pack ? undefined : { path: partName(packOf, module), external: true }),
    specifierOf: (module) => partName(packOf, module),
  };
  const { outputFiles } = await build({
    ...common,
    ...commonJs,
    stdin: { contents: `module.exports = {${parts.join(",\n")}};`, resolveDir: root, loader: "js" },
    plugins: [...common.plugins, lazyBuiltins(modules, own), linkedModules(modules, own, elsewhere)],
    write: false,
    outdir: root,
    charset: "ascii",
    minifyWhitespace: true,
  });
  return withUrl(asciiOnly(withoutCopies(outputFiles[0].text)));
}

/**
 * Resolves imports of modules of the program. `resolved` and `later` say where a module is that is imported, or
 * imported with `import()`; undefined: in the same file. Modules in the namespace `lazy` are loaded by `specifierOf`
 * when one of the names that `own` modules import is first used.
 */
function linkedModules(modules, own, { resolved, later, specifierOf }) {
  const names = namesBy(modules, own, (path, specifier) =>
    specifier.startsWith(".") ? moduleOf(join(root, path), specifier) : undefined,
  );
  const resolve = ({ path, kind, importer }) => {
    const module = moduleOf(importer, path);
    if (kind === "entry-point" || !modules.has(module)) return undefined;
    const found = kind === "dynamic-import" ? later(module) : resolved(module);
    return found?.namespace === "lazy" && names.get(module)?.has("*")
      ? { path: specifierOf(module), external: true }
      : found;
  };
  return {
    name: "linked-modules",
    setup: ({ onResolve, onLoad }) => {
      onResolve({ filter: /^[.].*[.]ts$/ }, resolve);
      onResolve({ filter: /./, namespace: "lazy" }, ({ path }) => ({ path, external: true }));
      onLoad({ filter: /[/]src[/].*[.]ts$/ }, ({ path }) => {
        const module = modules.get(pathBelowRoot(path));
        return module && { contents: module.text, loader: "js", resolveDir: dirname(path) };
      });
      onLoad({ filter: /./, namespace: "lazy" }, ({ path }) => ({
        contents: lazyModule(specifierOf(path), names.get(path) ?? []),
      }));
    },
  };
}

/** The names that the modules `own` import, by what `targetOf` makes of a specifier. */
function namesBy(modules, own, targetOf) {
  const found = new Map();
  for (const path of own)
    for (const [specifier, names] of modules.get(path).imports) {
      const target = targetOf(path, specifier);
      if (target !== undefined) found.set(target, new Set([...(found.get(target) ?? []), ...names]));
    }
  return found;
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
  "child_process crypto dns http https net os perf_hooks readline stream/promises timers/promises tty v8 " +
  "worker_threads zlib";
const slowBuiltin = new RegExp(`^node:(?:${slowBuiltins.replaceAll(" ", "|")})$`);

/** Loads slow modules of Node when one of their functions is first used. */
function lazyBuiltins(modules, own) {
  const used = namesBy(modules, own, (_, specifier) => (slowBuiltin.test(specifier) ? specifier : undefined));
  const whole = new Set(own.flatMap((path) => modules.get(path).later));
  const isLazy = (specifier) => used.has(specifier) && !used.get(specifier).has("*") && !whole.has(specifier);
  return {
    name: "lazy-builtins",
    setup: ({ onResolve, onLoad }) => {
      onResolve({ filter: slowBuiltin }, ({ path, namespace }) => {
        if (namespace === "builtin") return { path, external: true };
        return isLazy(path) ? { path, namespace: "builtin" } : undefined;
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

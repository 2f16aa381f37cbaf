// The modules of the program as the build puts them together: the text of each without types, and what it imports.
import { readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { transform } from "esbuild";
import { withDirectImports } from "./direct-imports.mjs";
import { root } from "./prepare.mjs";

/**
 * Modules by path below the project. `text`: the module without types; `imports`: the names that it imports, by
 * specifier; `later`: the specifiers of its dynamic imports; `linked`: the modules that it imports either way.
 */
export async function modulesOf(paths, target) {
  const found = await Promise.all(paths.map(async (path) => [path, await moduleAt(path, target)]));
  return new Map(found);
}

async function moduleAt(path, target) {
  const file = join(root, path);
  const source = withDirectImports(readFileSync(file, "utf8"), file);
  const { code: text } = await transform(source, {
    loader: "ts",
    format: "esm",
    target,
    define: { "import.meta.url": "moduleUrl" },
  });
  const imports = new Map();
  for (const [, names, specifier] of text.matchAll(/^import ([^"]*?) ?(?:from )?"([^"]+)"/gm))
    imports.set(specifier, [...(imports.get(specifier) ?? []), ...importedNames(names)]);
  const later = [...text.matchAll(/\bimport\("([^"]+)"\)/g)].map(([, specifier]) => specifier);
  const linked = [...imports.keys(), ...later].filter((specifier) => specifier.startsWith("."));
  return { text, imports, later, linked: new Set(linked.map((specifier) => moduleOf(file, specifier))) };
}

/** The path of the module that `file` imports by a relative specifier. */
export function moduleOf(file, specifier) {
  return pathBelowRoot(resolve(dirname(file), specifier));
}

/** The path of a file below the project, as modules are named. */
export function pathBelowRoot(file) {
  return relative(root, file).replaceAll("\\", "/");
}

/** `a` and `b` of `{ a, b as c }`; `*` for another form, which needs the whole module. */
function importedNames(text) {
  const list = /^\{([^{}]*)\}$/.exec(text.trim())?.[1];
  if (list === undefined) return ["*"];
  const names = list.split(",").map((name) => name.trim().split(/ as /)[0]);
  return names.map((name) => (name === "default" ? "*" : name)).filter((name) => name !== "");
}

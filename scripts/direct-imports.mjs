// Replaces imports through faces (`index.ts` of a room) with imports from the files that define the names. Bundlers
// split the program by files, and would otherwise load a complete room for one of its functions.
import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

const fromFace = /^(import|export) (type )?\{([^}]*)\} from "([.][^"]*\/index[.]ts)";/gm;
const exported = /export (?:type )?\{([^}]*)\} from "([.][^"]+)";/g;
const faces = new Map();

/** The text of `file` with imports through faces replaced by direct imports. */
export function withDirectImports(text, file) {
  return text.replaceAll(fromFace, (statement, keyword, type = "", names, specifier) => {
    const face = join(dirname(file), specifier);
    const definedIn = faceDefinitions(face);
    const byFile = new Map();
    for (const name of listedNames(names)) {
      const home = definedIn.get(plainName(name));
      if (home === undefined) return statement;
      byFile.set(home, [...(byFile.get(home) ?? []), name]);
    }
    return [...byFile]
      .map(([home, list]) => `${keyword} ${type}${namesOf(list)} from "${specifierOf(file, home)}";`)
      .join(" ");
  });
}

/** Uses `import type` if all names are types, because inline `type` modifiers would still load the file. */
function namesOf(list) {
  const areTypes = list.every((name) => name.startsWith("type "));
  return areTypes ? `type { ${list.map((name) => name.slice("type ".length)).join(", ")} }` : `{ ${list.join(", ")} }`;
}

/** The file that defines each exported name of a face. */
export function faceDefinitions(face) {
  const known = faces.get(face);
  if (known !== undefined) return known;
  const found = new Map();
  for (const [, names, specifier] of readFileSync(face, "utf8").matchAll(exported))
    for (const name of listedNames(names)) found.set(plainName(name), join(dirname(face), specifier));
  faces.set(face, found);
  return found;
}

export function listedNames(names) {
  return names
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

/** `type a as b` imports `a`. */
export function plainName(name) {
  return name.replace(/^type\s+/, "").split(/\s+as\s+/)[0];
}

function specifierOf(file, target) {
  const path = relative(dirname(file), target).replaceAll("\\", "/");
  return path.startsWith(".") ? path : `./${path}`;
}

const source = /[/](?:src|web)[/].*[.]tsx?$/;

/** Plug-in for esbuild. */
export const directImports = {
  name: "direct-imports",
  setup: ({ onLoad }) =>
    onLoad({ filter: source }, ({ path }) => ({
      contents: withDirectImports(readFileSync(path, "utf8"), path),
      loader: path.endsWith("x") ? "tsx" : "ts",
    })),
};

/** Plug-in for Vite, which runs the tests. */
export const directImportsInTests = {
  name: "direct-imports",
  enforce: "pre",
  transform: (text, id) => (source.test(id) ? { code: withDirectImports(text, id), map: null } : undefined),
};

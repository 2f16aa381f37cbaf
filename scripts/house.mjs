// Counts what keeps the house readable, and fails where a count is above its limit: files that only one other file
// imports, files in a folder, columns of a line, paths that are named but missing, members that are not `#`.
import { readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { pathToFileURL } from "node:url";
import { namedPaths } from "./named-paths.mjs";
import { root } from "./prepare.mjs";
import { projectFiles } from "./project-files.mjs";
import { wordsOfTheList } from "./words.mjs";

const columns = 120;
const limits = { words: 0, oneImporter: 350, largestFolder: 30, longLines: 0, missingPaths: 0, otherMembers: 0 };

const text = (file) => readFileSync(join(root, file), "utf8");
const isCode = (file) => /[.](?:ts|tsx|mjs|cjs|css)$/.test(file) && !/^test\/(?:samples|cases|upgrades)\//.test(file);
const isSource = (file) => /^src\/.*[.]ts$/.test(file) && !file.endsWith(".test.ts");
const isFace = (file) => file.endsWith("/index.ts");

/**
 * The files that use each source file. Faces are transparent: who imports a name through the `index.ts` of a room uses
 * the file that defines it, and the face itself uses nothing.
 */
function importersOf(files) {
  const known = new Set(files);
  const importers = new Map(files.map((file) => [file, new Set()]));
  const faces = new Map(files.filter(isFace).map((face) => [face, definedIn(face)]));
  for (const file of files.filter((candidate) => !isFace(candidate))) {
    for (const [, names, specifier] of text(file).matchAll(
      /(?:import|export)\s+(?:type\s+)?\{([^}]*)\}\s+from\s+"([.][^"]+)"/g,
    )) {
      const target = normalize(join(dirname(file), specifier));
      const used = faces.has(target) ? namesIn(names).map((name) => faces.get(target).get(name)) : [target];
      for (const one of used) if (known.has(one)) importers.get(one).add(file);
    }
    for (const [, specifier] of text(file).matchAll(/import\s*\(?\s*"([.][^"]+)"/g)) {
      const target = normalize(join(dirname(file), specifier));
      if (known.has(target)) importers.get(target).add(file);
    }
  }
  return importers;
}

/** Where each name that a face exports is defined. */
function definedIn(face) {
  const found = new Map();
  for (const [, names, specifier] of text(face).matchAll(/export\s+(?:type\s+)?\{([^}]*)\}\s+from\s+"([.][^"]+)"/g))
    for (const name of namesIn(names)) found.set(name, normalize(join(dirname(face), specifier)));
  return found;
}

function namesIn(list) {
  return list
    .split(",")
    .map(
      (entry) =>
        entry
          .trim()
          .replace(/^type\s+/, "")
          .split(/\s+as\s+/)[0],
    )
    .filter((name) => name !== "");
}

function largestFolder(sources) {
  const sizes = new Map();
  for (const file of sources) if (!isFace(file)) sizes.set(dirname(file), (sizes.get(dirname(file)) ?? 0) + 1);
  return [...sizes].sort(([, a], [, b]) => b - a)[0] ?? ["src", 0];
}

function longLines(files) {
  return files.flatMap((file) =>
    text(file)
      .split("\n")
      .flatMap((line, index) => ([...line].length > columns ? [`${file}:${index + 1}`] : [])),
  );
}

/** Private members are spelled `#`; only a constructor has no other spelling than `private`. */
function otherMembers(sources) {
  return sources.flatMap((file) =>
    text(file)
      .split("\n")
      .flatMap((line, index) => (/^\s+private\s+(?!constructor)/.test(line) ? [`${file}:${index + 1}`] : [])),
  );
}

/** Each count with the places it counts, for a tree as it stands. */
export function houseCounts() {
  const files = projectFiles();
  const sources = files.filter(isSource);
  const alone = [...importersOf(sources)].filter(([, importers]) => importers.size === 1).map(([file]) => file);
  const [folder, size] = largestFolder(sources);
  const found = (places) => ({ count: places.length, places });
  return {
    words: { title: "words of the list", ...found(wordsOfTheList(files)) },
    oneImporter: { title: `of ${sources.length} source files, with exactly one importer`, ...found(alone) },
    largestFolder: { title: `source files in the largest folder (${folder})`, count: size, places: [folder] },
    longLines: { title: `lines over ${columns} columns`, ...found(longLines(files.filter(isCode))) },
    missingPaths: { title: "paths named but missing", ...found(namedPaths(files).missing) },
    otherMembers: { title: "private members not spelled #", ...found(otherMembers(sources)) },
  };
}

function main(list) {
  for (const [name, { title, count, places }] of Object.entries(houseCounts())) {
    const isOver = count > limits[name];
    console.log(`${isOver ? "FAIL" : "ok  "} ${String(count).padStart(5)} ${title} (at most ${limits[name]})`);
    if (isOver || list === name)
      for (const place of places.slice(0, list === name ? Infinity : 40)) console.log(`       ${place}`);
    if (isOver) process.exitCode = 1;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) main(process.argv[2]);

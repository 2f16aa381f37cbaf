// Measures the readability of the sources and fails if a count exceeds its limit. `node scripts/house.mjs`;
// `--list NAME` lists the items of a count, `--root DIR` checks another checkout.
import { readFileSync } from "node:fs";
import { dirname, join, normalize, relative, resolve } from "node:path";
import { architecture, picture } from "./architecture.mjs";
import { faceDefinitions, listedNames, plainName } from "./direct-imports.mjs";
import { namedPaths } from "./named-paths.mjs";
import { root as ownRoot } from "./prepare.mjs";
import { projectFiles } from "./project-files.mjs";
import { wordsOfTheList } from "./words.mjs";

const columns = 120;

const isCode = (file) => /[.](?:ts|tsx|mjs|cjs|css)$/.test(file) && !/^test\/(?:samples|cases)\//.test(file);
const isSource = (file) => /^src\/.*[.]ts$/.test(file) && !file.endsWith(".test.ts");
const isFace = (file) => file.endsWith("/index.ts");
const named = /(?:import|export)\s+(?:type\s+)?\{([^}]*)\}\s+from\s+"([.][^"]+)"/g;

/** A checkout: its files and their text. */
class Tree {
  constructor(root) {
    this.root = root;
    this.files = projectFiles(root);
    this.sources = this.files.filter(isSource);
  }

  text(file) {
    return readFileSync(join(this.root, file), "utf8");
  }

  /** Every line of `files` that `isCounted`, as `file:line`. */
  lines(files, isCounted) {
    return files.flatMap((file) =>
      this.text(file)
        .split("\n")
        .flatMap((line, index) => (isCounted(line) ? [`${file}:${index + 1}`] : [])),
    );
  }
}

/**
 * The importers of each source file. Faces are transparent: an import through the `index.ts` of a room counts for the
 * file that defines the name, and the face itself is not an importer.
 */
function importersOf(tree) {
  const importers = new Map(tree.sources.map((file) => [file, new Set()]));
  const faces = new Map(tree.sources.filter(isFace).map((face) => [face, faceDefinitions(join(tree.root, face))]));
  for (const file of tree.sources.filter((candidate) => !isFace(candidate))) {
    const target = (specifier) => normalize(join(dirname(file), specifier));
    for (const [, names, specifier] of tree.text(file).matchAll(named)) {
      const face = faces.get(target(specifier));
      const used =
        face === undefined
          ? [target(specifier)]
          : listedNames(names).map((name) => relative(tree.root, face.get(plainName(name)) ?? ""));
      for (const one of used) importers.get(one)?.add(file);
    }
    for (const [, specifier] of tree.text(file).matchAll(/import\s*\(?\s*"([.][^"]+)"/g))
      importers.get(target(specifier))?.add(file);
  }
  return importers;
}

function largestFolder(sources) {
  const sizes = new Map();
  for (const file of sources) if (!isFace(file)) sizes.set(dirname(file), (sizes.get(dirname(file)) ?? 0) + 1);
  return [...sizes].sort(([, a], [, b]) => b - a)[0] ?? ["src", 0];
}

/** Verbs and plug-ins have one importer each, the list that loads them: a growing program may have more such files. */
const mostAlone = (sources) => Math.max(350, Math.floor(0.28 * sources));

/** Each count with its limit and its items. */
function counts(tree) {
  const alone = [...importersOf(tree)].filter(([, importers]) => importers.size === 1).map(([file]) => file);
  const [folder, size] = largestFolder(tree.sources);
  const isDrawn = !tree.files.includes(picture) || tree.text(picture) === architecture(tree.root);
  const row = (name, limit, title, items, count = items.length) => ({ name, limit, title, items, count });
  return [
    row("words", 0, "words of the list", wordsOfTheList(tree.root, tree.files)),
    row(
      "one-importer",
      mostAlone(tree.sources.length),
      `of ${tree.sources.length} source files, with exactly one importer`,
      alone,
    ),
    row("largest-folder", 30, "source files in the largest folder", [folder], size),
    row("long-lines", 0, `lines over ${columns} columns`, tree.lines(tree.files.filter(isCode), isTooLong)),
    row("missing-paths", 0, "paths named but missing", namedPaths(tree.root, tree.files).missing),
    row("members", 0, "private members not spelled #", tree.lines(tree.sources, isOtherMember)),
    row("picture", 0, "pictures of the rooms out of date (npm run architecture)", isDrawn ? [] : [picture]),
  ];
}

const isTooLong = (line) => [...line].length > columns;
/** Only a constructor has no other spelling than `private`. */
const isOtherMember = (line) => /^\s+private\s+(?!constructor)/.test(line);

function option(name) {
  const at = process.argv.indexOf(name);
  return at < 0 ? undefined : process.argv[at + 1];
}

const list = option("--list");
for (const { name, limit, title, items, count } of counts(new Tree(resolve(option("--root") ?? ownRoot)))) {
  const isOver = count > limit;
  console.log(`${isOver ? "FAIL" : "ok  "} ${String(count).padStart(5)} ${title} (at most ${limit})`);
  if (isOver || list === name)
    for (const item of items.slice(0, list === name ? Infinity : 40)) console.log(`       ${item}`);
  if (isOver) process.exitCode = 1;
}

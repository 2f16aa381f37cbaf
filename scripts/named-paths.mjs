// Checks that paths named in the documentation, CONTRIBUTING, the layer rules and the scripts exist.
import { readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

/** The files whose text is searched for paths. */
const namingFiles =
  /^(?:docs\/.*|README|CONTRIBUTING|CHANGELOG|(?:src|web|bench|test\/(?!samples\/))(?:.*\/)?README)(?:[.]md)?$/;
const configuration =
  /^(?:[.]dependency-cruiser[.]mjs|knip[.]json|vitest[.]config[.]ts|[.]oxlintrc[.]json|scripts\/.*[.]mjs)$/;
const folders = "src|web|test|bench|scripts|docs|assets|schemas|examples|demo|ci|templates";
const named = new RegExp(`(?<![\\w./~:-])((?:${folders})/[\\w@./<>*{},-]*)`, "g");
const linked = /\]\(([^)#:\s]+)(?:#[^)]*)?\)/g;

/** `names`: every named path as `{ file, line, path }`; `missing`: those that do not exist, as `file:line: path`. */
export function namedPaths(root, files) {
  const tree = new Set(files.flatMap((file) => [file, ...parents(file)]));
  const names = files.flatMap((file) =>
    namingFiles.test(file) || configuration.test(file) ? namesIn(root, file) : [],
  );
  const missing = names.filter(({ path }) => !pathExists(path, tree));
  return { names, missing: missing.map(({ file, line, path }) => `${file}:${line}: ${path}`) };
}

function parents(file) {
  const parent = dirname(file);
  return parent === "." ? [] : [parent, ...parents(parent)];
}

function namesIn(root, file) {
  return readFileSync(join(root, file), "utf8")
    .split("\n")
    .flatMap((text, index) => pathsIn(text, file).map((path) => ({ file, line: index + 1, path })));
}

function pathsIn(text, file) {
  const spelled = configuration.test(file) ? text.replaceAll("[.]", ".").replaceAll("\\.", ".") : text;
  const links = file.endsWith(".md")
    ? [...text.matchAll(linked)].map(([, link]) => normalize(join(dirname(file), link)))
    : [];
  return [...[...spelled.matchAll(named)].map(([, path]) => path.replace(/[.,]+$/, "")), ...links];
}

/** Only the prefix before a pattern (`<name>`, `*`, `{a,b}`) must exist. */
function pathExists(path, tree) {
  const plain = path.replace(/(?:[^/]*[<*{(|].*)$/, "").replace(/\/+$/, "");
  return plain === "" || plain === ".." || tree.has(plain);
}

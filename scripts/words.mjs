// Lists uses of words for which this project has a standard term, in the sources, pages, documentation and schemas, and
// fails if there are any: `node scripts/words.mjs [FOLDER...]`.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { allowed, wordList } from "./word-list.mjs";
import { projectFiles } from "./project-files.mjs";
import { root } from "./prepare.mjs";

const checked = /^(?:(?:src|web|docs|schemas|assets|examples|demo)\/|README|CONTRIBUTING|CHANGELOG)/;
const isText = /[.](?:ts|tsx|md|json|css|mjs|exp|inp|yml)$/;

/** `camelCase` and `snake_case` as separate lower-case words, at the same line. */
function asWords(line) {
  return line
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replaceAll("_", " ")
    .toLowerCase();
}

function isAllowed(file, word, line) {
  return allowed.some(
    (exception) =>
      (exception.word === undefined || exception.word === word) &&
      (exception.files === undefined || exception.files.test(file)) &&
      (exception.text === undefined || exception.text.test(line)),
  );
}

/** Every use of a word of the list, as `file:line: word (use: standard term)`. */
export function wordsOfTheList(root, files) {
  const found = [];
  for (const file of files.filter((candidate) => checked.test(candidate) && isText.test(candidate))) {
    readFileSync(join(root, file), "utf8")
      .split("\n")
      .forEach((line, index) => {
        const words = asWords(line);
        for (const { word, pattern, use } of wordList)
          if (pattern.test(words) && !isAllowed(file, word, line))
            found.push(`${file}:${index + 1}: ${word} (use: ${use})`);
      });
  }
  return found;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [, , ...folders] = process.argv;
  const isSelected = (file) => folders.length === 0 || folders.some((folder) => file.startsWith(folder));
  const found = wordsOfTheList(root, projectFiles(root).filter(isSelected));
  for (const line of found) console.log(line);
  console.log(`${found.length} words of the list`);
  process.exit(found.length === 0 ? 0 : 1);
}

// `node bench/describe.mjs FOLDER...`: for every sample below the folders (default: test/samples), `perfkeep describe`
// proposes descriptions, the experiment is created from them, and the sample is read with them. Prints how many of the
// numeric cells of each file arrive, and whether every imported number is in the file. `--json` prints JSON, `--lines`
// the cells that are lost, `--only TEXT` selects paths, `--together` proposes from all files of a folder at once,
// `--all` reads the files that are no text tables, too.
//
// A number may have an exponent of Fortran (`1.5D+03`), groups of three digits between commas (`1,234.5`), a prefix
// (`12.5k` is 12500 or 12800), and, if the file has no number with a point but one that cannot have groups, a decimal
// comma.
// A numeric cell is a number in a line of a table (next to a line with as many words and as many numbers, or with `|`),
// or directly after `name:` or `name =`. Dates, times, versions, paths, lines of files (`a.py:12`), ordinals
// (`99.9th`), names (`50` in `50=0.1%`) and numbers in sentences are no cells; the column `other` counts those that are
// numbers.
//
// The goal is for text tables. A file is none, and listed with the reason, if it has a NUL, if it is JSON or a JSON
// document in each line, if it begins like XML, if it is a Markdown page, or if no line of a table has two numbers.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative, resolve } from "node:path";
import { built, installed, root } from "../scripts/prepare.mjs";

const [flags, folders] = [new Set(process.argv.slice(2).filter((word) => word.startsWith("--"))), []];
let only = "";
for (let at = 2; at < process.argv.length; at++) {
  if (process.argv[at] === "--only") only = process.argv[++at] ?? "";
  else if (!process.argv[at].startsWith("--")) folders.push(process.argv[at]);
}
if (folders.length === 0) folders.push(join(root, "test/samples"));
installed();
built();
const program = join(root, "dist/cli.js");

const digits = String.raw`\d{1,3}(?:,\d{3})+(?![\d,])(?:\.\d*)?|\d+\.?\d*|\.\d+`;
const anyNumber = `[-+]?(?:${digits})${String.raw`(?:[eE][-+]?\d+|D[-+]\d{2,3})?`}`;
const number = new RegExp(`^${anyNumber}`);
const noMeasurement = new RegExp(
  [
    String.raw`\d{1,4}[-/]\d{1,2}[-/]\d{1,4}(?:[T ]\d+:\d+(?::\d+(?:[.,]\d+)?)?)?`,
    String.raw`\d+:\d{2}(?::\d{2})?(?:\.\d+)?`,
    String.raw`(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.? +\d+(?:,? +\d{4})?`,
    String.raw`\d{1,2} +(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]* +\d{4}`,
    String.raw`(?<=:\d\d(?: [A-Z]{3,4})?) +\d{4}\b`,
    String.raw`\S*\d+\.\d+\.\d+\S*`,
    String.raw`\bv\d[\w.-]*`,
    String.raw`\S*/\S*[A-Za-z]\S*`,
    String.raw`\S*[A-Za-z_]\S*\.\w+:\d+\S*`,
    String.raw`(?<![\d.])\b(?=\d*[a-f])(?!\d+e[-+]?\d)[\da-f]{12,}\b`,
  ].join("|"),
  "g",
);

/** The numbers of a line: their texts, and whether each directly follows a name. */
function numbersOf(line) {
  const bare = line.replaceAll(noMeasurement, (text) => " ".repeat(text.length));
  const found = [];
  for (const match of bare.matchAll(
    /(?:(?<=^|\s)\d{1,3}(?:,\d{3})+(?![\d,])[^\s=:,;|()[\]{}<>"'±]*|[^\s=:,;|()[\]{}<>"'±]+)/g,
  )) {
    const [text] = number.exec(match[0]) ?? [];
    if (text === undefined || !/^(?:%|[a-zA-Z]{1,2}|[KMGT]i?B|[mun]?sec)?$/.test(match[0].slice(text.length))) continue;
    if (/^(?:st|nd|rd|th)$/.test(match[0].slice(text.length))) continue;
    if (/^\s*=(?!=)/.test(bare.slice(match.index + match[0].length))) continue;
    const before = bare.slice(0, match.index);
    found.push({
      text: text + (/^[kKMGT]i?$/.exec(match[0].slice(text.length)) ?? ""),
      named: /[A-Za-z)\]%][\w)\]%]*\s*[=:]\s*$/.test(before),
    });
  }
  return found;
}

/** In a field between `|`, a number at its beginning is a cell, and one after `±`. */
function leadingNumbers(field) {
  return field.split("±").flatMap((part) => {
    const [first] = numbersOf(part);
    return first && part.trim().startsWith(first.text) && !/^\d+[-/:]/.test(part.trim()) ? [first] : [];
  });
}

/** Why a sample is no text table; undefined: it is one. */
function otherKind(file, text) {
  if (text.includes("\0")) return "binary";
  if (/^\s*<[?!A-Za-z]/.test(text)) return "XML";
  if (file.endsWith(".md")) return "Markdown page";
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
  if (isJson(text) || (lines.length > 0 && lines.every(isJson))) return "JSON";
  return cellsOf(text).cells.some(({ inTable }) => inTable) ? undefined : "no table";
}

function isJson(text) {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The cells of a sample, with their lines, and how many other numbers it has. */
function cellsOf(text) {
  const lines = text
    .split(/\r?\n/)
    .map((line) => ({ line, numbers: numbersOf(line), words: line.trim().split(/\s+/) }));
  const filled = lines.map((each, index) => ({ ...each, index })).filter(({ line }) => line.trim() !== "");
  const cells = [];
  let other = 0;
  filled.forEach(({ line, numbers: anywhere, words, index }, at) => {
    const numbers = line.split("|").length > 3 ? line.split("|").flatMap(leadingNumbers) : anywhere;
    const isLike = (each) =>
      each !== undefined && each.words.length === words.length && each.numbers.length === numbers.length;
    const inTable =
      numbers.length >= 2 && (isLike(filled[at - 1]) || isLike(filled[at + 1]) || line.split("|").length > 3);
    for (const { text: value, named } of numbers) {
      if (inTable || named) cells.push({ values: valuesOf(value), line: index + 1, text: line, inTable });
      else other += 1;
    }
  });
  return { cells, other };
}

/** The values that a number may have: with a prefix, a power of 1000 or of 1024 of it. */
function valuesOf(text) {
  const [, digits, prefix] = /^(.*?)([kKMGT])i?$/.exec(text) ?? [text, text];
  if (prefix === undefined) return [valueOf(digits)];
  const power = "kmgt".indexOf(prefix.toLowerCase()) + 1;
  return [Number(`${digits.replaceAll(",", "")}e${3 * power}`), valueOf(digits) * 1024 ** power];
}

function valueOf(text) {
  return Number(text.replaceAll(",", "").replace("D", "e"));
}

/** Decimal commas as points, in a text that has no number with a point. */
function withPoints(text) {
  const commas = text.match(/(?<=[\s;])\d+,\d+(?=[\s;]|$)/g) ?? [];
  return commas.some((each) => !/^[1-9]\d{0,2},\d{3}$/.test(each)) &&
    commas.length > 2 &&
    !/(?<=[\s;])\d+\.\d+(?=[\s;]|$)/.test(text) &&
    !/\d,\d+,\d/.test(text)
    ? text.replaceAll(
        /(?<=[\s;])([\d.]+),(\d+)(?=[\s;]|$)/g,
        (_, whole, part) => `${whole.replaceAll(".", "")}.${part}`,
      )
    : text;
}

/** Every number that is anywhere in the text. */
function allNumbers(text) {
  const patterns = [new RegExp(anyNumber, "g"), /[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?/g];
  const found = patterns.flatMap((pattern) => [...text.matchAll(pattern)].map(([each]) => valueOf(each)));
  const durations = [...text.matchAll(/(?:(\d+)-)?(?:(\d+):)?(\d+):(\d\d(?:\.\d+)?)/g)].map(
    ([, days = 0, hours = 0, minutes, seconds]) =>
      Number(((Number(days) * 24 + Number(hours)) * 3600 + Number(minutes) * 60 + Number(seconds)).toFixed(6)),
  );
  return new Set([...found.flatMap((value) => [value, Math.abs(value)]), ...durations]);
}

function run(folder, ...words) {
  const environment = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...words], {
    cwd: folder,
    env: environment,
    encoding: "utf8",
    maxBuffer: 1 << 30,
  });
  return { status, stdout, stderr };
}

/** Proposes from `samples`, and reads `file` with the proposal. */
function measure(file, samples) {
  const folder = mkdtempSync(join(tmpdir(), "perfkeep-describe-"));
  const text = withPoints(readFileSync(file, "utf8"));
  const { cells, other } = cellsOf(text);
  const result = {
    file,
    cells: cells.length,
    other,
    imported: 0,
    share: cells.length === 0 ? 1 : 0,
    foreign: [],
    lost: [],
  };
  try {
    const described = run(folder, "describe", "-e", "sample", "-o", ".", "--format", "json", ...samples);
    if (described.status !== 0) return { ...result, problem: described.stderr.trim() };
    const created = run(folder, "experiment", "create", "sample.exp", "--db", "sample.db");
    if (created.status !== 0) return { ...result, problem: created.stderr.trim() };
    const words = ["import", "-e", "sample", "-d", "sample.inp", "--db", "sample.db", file];
    const stored = run(folder, ...words);
    if (stored.status !== 0) return { ...result, problem: stored.stderr.trim() };
    const read = run(folder, ...words, "--dry-run", "--format", "json", "--force");
    if (read.status !== 0) return { ...result, problem: read.stderr.trim() };
    const values = JSON.parse(read.stdout).runs.flatMap(({ parameters, rows }) =>
      [parameters, ...rows].flatMap((row) => Object.values(row).filter((value) => typeof value === "number")),
    );
    return { ...result, ...compared(cells, values, new Set([...allNumbers(text), ...allNumbers(file)])) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function compared(cells, values, known) {
  const left = new Map();
  for (const value of values) left.set(value, (left.get(value) ?? 0) + 1);
  const lost = [];
  for (const cell of cells) {
    const value = cell.values.find((each) => (left.get(each) ?? 0) > 0);
    if (value === undefined) lost.push(cell);
    else left.set(value, left.get(value) - 1);
  }
  const foreign = [...new Set(values)].filter((value) => !known.has(value) && !isConverted(value, known));
  const imported = cells.length - lost.length;
  return { imported, share: cells.length === 0 ? 1 : imported / cells.length, foreign, lost };
}

/** True for a number of the file in another unit: `1023 KBytes` in a column of MBytes is 1.023. */
function isConverted(value, known) {
  return [1e3, 1e6, 1e9, 1e12, 1024, 1024 ** 2, 1024 ** 3, 1024 ** 4].some((factor) =>
    [value * factor, value / factor].some((each) => known.has(Number(each.toPrecision(12)))),
  );
}

function* filesBelow(path) {
  if (!statSync(path).isDirectory()) return yield path;
  for (const name of readdirSync(path).toSorted()) yield* filesBelow(join(path, name));
}

const files = folders.flatMap((folder) => [...filesBelow(resolve(folder))]).filter((file) => file.includes(only));
const kinds = new Map(files.map((file) => [file, otherKind(file, readFileSync(file, "utf8"))]));
const tables = files.filter((file) => kinds.get(file) === undefined);
const results = (flags.has("--all") ? files : tables).map((file) => {
  const companions = files.filter((each) => dirname(each) === dirname(file));
  const result = measure(file, flags.has("--together") ? companions : [file]);
  if (!flags.has("--json")) print(result);
  return result;
});

function print({ file, cells, other, imported, share, foreign, problem, lost }) {
  const facts = [
    cells,
    imported,
    `${(share * 100).toFixed(1)} %`,
    foreign.length === 0 ? "yes" : foreign.slice(0, 3),
    other,
  ];
  console.log(
    `${relative(process.cwd(), file).slice(-52).padEnd(52)} ${facts.map((each) => String(each).padStart(8)).join(" ")}`,
  );
  if (problem) console.log(`  ${problem.split("\n")[0]}`);
  if (flags.has("--lines"))
    for (const { line, text } of new Map(lost.map((cell) => [cell.line, cell])).values())
      console.log(`  ${basename(file)}:${line}: ${text.slice(0, 120)}`);
}

const counted = results.filter(({ cells }) => cells > 0);
const good = counted.filter(({ share, foreign }) => share >= 0.95 && foreign.length === 0).length;
if (flags.has("--json"))
  console.log(
    JSON.stringify({
      files: results.map(({ lost, ...rest }) => ({ ...rest, lost: lost.length })),
      good,
      counted: counted.length,
    }),
  );
else {
  console.log(
    "file".padEnd(53) + ["cells", "imported", "share", "in file", "other"].map((each) => each.padStart(8)).join(" "),
  );
  if (!flags.has("--all"))
    for (const [file, kind] of kinds)
      if (kind !== undefined) console.log(`left out: ${relative(process.cwd(), file)}: ${kind}`);
  console.log(
    `${good} of ${counted.length} files with cells (${((100 * good) / counted.length).toFixed(1)} %): ` +
      "at least 95 % imported, and every number is in the file",
  );
}

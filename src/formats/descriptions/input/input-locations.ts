import {
  cutWords,
  effectWords,
  readCut,
  readEffects,
  readUpdate,
  repeatableWords,
  namedProblem,
  readRowEffects,
} from "./value-descriptors.ts";
import { layoutWords, readHeader, readLayout, readRange, readSkipped } from "./row-layout.ts";
import { readMissing } from "./row-location-text.ts";
import type {
  ExplicitLocation,
  TableLocation,
  TableValue,
  BlockMark,
  FilenameLocation,
  Match,
  NamedLocation,
  Separation,
  Trigger,
} from "./input-description.ts";
import type { Position, RowMark } from "./location-parts.ts";
import { isNumber, type LineWords, checkedName, type WordGroup } from "../line-words.ts";

const markWords = [
  "alias",
  "regexp",
  "match",
  "terminator",
  "trigger",
  "trigger_regexp",
  "trigger_skip",
  "begin",
  "begin_regexp",
  "begin_skip",
  "end",
  "end_regexp",
];
export const namedWords = [...markWords, "lines", "content", "mode", ...cutWords, ...effectWords];
export const namedRepeatable = [...markWords, ...repeatableWords];
export const separationWords = ["string", "param", "skip", ...namedWords];
export const filenameWords = ["match", "terminator", "fuzzy", "regexp", "key", "folder", "mode", ...cutWords];
export const filenameRepeatable = ["match", "terminator", "fuzzy", "regexp", "key", ...repeatableWords];

export function readNamed(words: LineWords): NamedLocation {
  return checkNamed(words, {
    ...readMarks(words, words.name()),
    ...readCut(words),
    ...readEffects(words),
    ...readMode(words),
    origin: words.origin,
  });
}

function checkNamed(words: LineWords, location: NamedLocation): NamedLocation {
  const problem = namedProblem(location);
  if (problem !== undefined) throw words.error(words, problem);
  return location;
}

function readMarks(words: LineWords, name: string): Omit<NamedLocation, "origin"> {
  const matches = words.groups(["match"], ["terminator"]).map((group) => readMatch(words, group));
  const triggers = words
    .groups(["trigger", "trigger_regexp"], ["trigger_skip"])
    .map((group) => readTrigger(words, group));
  const lines = words.number("lines");
  return {
    kind: "named",
    name,
    aliases: words.all("alias").map((word) => words.filled(word)),
    patterns: words.all("regexp").map((word) => words.pattern(word)),
    ...(matches.length > 0 ? { matches } : {}),
    ...(triggers.length > 0 ? { triggers } : {}),
    ...readBlock(words),
    ...(lines === undefined ? {} : { lines }),
    ...(words.choice("content", ["leads", "follows"]) === "leads" ? { leads: true } : {}),
  };
}

function readMatch(words: LineWords, { first, more }: WordGroup): Match {
  const terminator = more.get("terminator");
  return { text: words.filled(first), ...(terminator ? { terminator: words.filled(terminator) } : {}) };
}

function readTrigger(words: LineWords, { first, more }: WordGroup): Trigger {
  const skip = more.get("trigger_skip");
  return { mark: words.mark(first), skip: skip ? words.wholeNumber(skip, -1_000_000) : 0 };
}

function readBlock(words: LineWords): Pick<NamedLocation, "block"> {
  const begin = words.groups(["begin", "begin_regexp"], ["begin_skip"]).map(({ first, more }): BlockMark => {
    const skip = more.get("begin_skip");
    return { mark: words.mark(first), skip: skip ? words.wholeNumber(skip) : 0 };
  });
  const end = words.all("end", "end_regexp").map((word): BlockMark => ({ mark: words.mark(word), skip: 0 }));
  if (begin.length === 0 && end.length === 0) return {};
  if (begin.length > 0 && end.length > 0) return { block: { begin, end } };
  throw words.error(words, `${begin.length > 0 ? "begin" : "end"} needs ${begin.length > 0 ? "end" : "begin"}=`);
}

function readMode(words: LineWords): Pick<NamedLocation, "mode"> {
  const mode = words.choice("mode", ["assign", "count", "boolean", "accumulate", "abort"]) ?? "assign";
  return mode === "assign" ? {} : { mode };
}

/** `SEP string=`, `SEP regexp=` or `SEP param=` with the descriptors of NAMED. */
export function readSeparation(words: LineWords): Separation {
  const [extra] = words.bareWords(1);
  if (extra) throw words.error(extra, `SEP needs string=, regexp= or param= before '${extra.text.slice(0, 80)}'`);
  const [mark, second] = words.all("string", "param", ...(words.one("param") ? [] : ["regexp"]));
  if (!mark || second) throw words.error(words, "SEP needs one of string=, regexp= and param=");
  const skip = words.number("skip");
  return {
    kind: "separation",
    mark: mark.key === "param" ? namedMark(words, checkedName(words.line, mark)) : plainMark(words, mark),
    run: words.flag("run") ?? false,
    ...(skip ? { skip } : {}),
    origin: words.origin,
  };
}

function namedMark(words: LineWords, name: string): NamedLocation {
  return checkNamed(words, {
    ...readMarks(words, name),
    ...readCut(words),
    ...readRowEffects(words),
    ...readMode(words),
    origin: words.origin,
  });
}

function plainMark(words: LineWords, mark: Parameters<LineWords["mark"]>[0]): Separation["mark"] {
  const own = ["string", "regexp", "run", "skip"];
  const [unexpected] = words.all(...separationWords.filter((key) => !own.includes(key)));
  if (unexpected) throw words.error(unexpected, `${unexpected.key} needs param=`);
  return words.mark(mark);
}

export function readFilename(words: LineWords): FilenameLocation {
  const matches = words.groups(["match"], ["terminator", "fuzzy"]).map((group) => ({
    ...readMatch(words, group),
    ...(isYes(words, group.more.get("fuzzy")) ? ({ fuzzy: true } as const) : {}),
  }));
  const keys = words.all("key").map((word) => words.filled(word));
  const folder = words.number("folder");
  return {
    kind: "filename",
    name: words.name(),
    matches,
    patterns: words.all("regexp").map((word) => words.pattern(word)),
    ...(keys.length === 0 ? {} : { keys }),
    ...(folder === undefined ? {} : { folder }),
    ...readCut(words),
    ...(words.choice("mode", ["assign", "boolean"]) === "boolean" ? { mode: "boolean" } : {}),
    origin: words.origin,
  };
}

function isYes(words: LineWords, word: WordGroup["first"] | undefined): boolean {
  if (!word || /^(?:yes|no)$/i.test(word.text)) return word?.text.toLowerCase() === "yes";
  throw words.error(word, `${word.key} '${word.text.slice(0, 80)}' is neither yes nor no`);
}

export const explicitWords = ["row", "regexp", "pos", "chars", "rep", "typed", ...cutWords, ...effectWords];
export const tableWords = [
  "row",
  "regexp",
  "skip",
  "start",
  "columns",
  "rows",
  "skip_blank",
  "skip_regexp",
  "skip_heads",
  "header",
  "run",
  "table",
  "pos",
  "chars",
  "rep",
  "typed",
  "optional",
  "label",
  "missing",
  "update",
  ...layoutWords,
  ...cutWords,
];
export const tableRepeatable = ["row", "regexp", "missing", "skip_regexp", ...repeatableWords];

export function readExplicit(words: LineWords): ExplicitLocation {
  const name = words.name();
  const [row, second] = readRows(words);
  const [, secondWord] = words.all("row", "regexp");
  if (second) throw words.error(secondWord ?? words, "row= and regexp= exclude each other");
  if (!row || (row.kind === "number" && row.number === 0))
    throw words.error(words.one("row") ?? words, `${words.keyword} needs row=, a number from 1 on or a keyword`);
  return {
    kind: "explicit",
    name,
    row,
    ...readEntry(words, false),
    ...readCut(words),
    ...readEffects(words),
    origin: words.origin,
  };
}

/** One column. `joinedTables` makes tables of them. */
export function readColumn(words: LineWords): { table: TableLocation; number: number } {
  const name = words.name();
  const rows = readRows(words);
  if (rows.length > 1 && rows.some((row) => row.kind === "number"))
    throw words.error(words, "a row's number excludes other rows");
  const columns = words.number("columns", 1);
  const most = words.number("rows", 1);
  const header = readHeader(words);
  const { blanks, ...cut } = readCut(words);
  const value: TableValue = {
    name,
    ...readEntry(words, true),
    ...cut,
    ...readUpdate(words),
    ...(words.flag("optional") ? { optional: true } : {}),
    ...readMissing(words),
    ...(words.flag("label") ? { label: true } : {}),
    origin: words.origin,
  };
  const table: TableLocation = {
    kind: "table",
    rows,
    start: readStart(words, rows, header),
    ...(columns === undefined ? {} : { columns }),
    ...(most === undefined ? {} : { most }),
    ...readLayout(words, blanks),
    ...(header === undefined ? {} : { header }),
    ...(words.flag("run") ? { startsRun: true } : {}),
    ...readSkipped(words),
    values: [value],
    origin: words.origin,
  };
  return { table, number: words.number("table", 1) ?? 1 };
}

/** `skip` counts the lines between the header and the data, `start` from the row itself. */
export function readStart(words: LineWords, rows: readonly RowMark[], header = 1): number {
  const [skip, start] = [words.number("skip"), words.number("start")];
  if (skip !== undefined && start !== undefined)
    throw words.error(words.one("start") ?? words, "skip= and start= exclude each other");
  const first = start ?? (skip ?? 0) + Math.max(header, 1);
  if (first > 1 && rows.length === 0)
    throw words.error(
      words.one("skip") ?? words.one("start") ?? words,
      `${skip === undefined ? "start" : "skip"} needs row=`,
    );
  return first;
}

export function readRows(words: LineWords): RowMark[] {
  return words.all("row", "regexp").map((word) => {
    if (word.key === "row" && isNumber(word)) return { kind: "number", number: words.wholeNumber(word) };
    return words.mark(word);
  });
}

function readEntry(words: LineWords, relative: boolean): Pick<TableValue, "position" | "repetition" | "typed"> {
  const word = words.one("pos");
  const range = words.one("chars");
  if (range) return readCharacters(words, range, word);
  if (!word) throw words.error(words, `${words.keyword} needs pos=, a number from 1 on or a keyword`);
  const position = readPosition(words, word, relative);
  const rep = words.one("rep");
  if (rep && position.kind !== "keyword") throw words.error(rep, "rep needs a keyword as pos");
  return { position, repetition: words.number("rep", 1) ?? 1, typed: words.flag("typed") ?? false };
}

function readCharacters(
  words: LineWords,
  word: NonNullable<ReturnType<LineWords["one"]>>,
  pos: ReturnType<LineWords["one"]>,
): ReturnType<typeof readEntry> {
  const [other] = [pos, words.one("rep"), words.one("typed")].filter((each) => each !== undefined);
  if (other) throw words.error(other, `chars and ${other.key ?? ""} exclude each other`);
  const position = readRange(word.text);
  if (position) return { position, repetition: 1, typed: false };
  throw words.error(word, `chars '${word.text.slice(0, 80)}' is not a range of characters, as in 10-17 or 10-`);
}

/** `3` is the third entry, `+1` the one after that of the previous column. */
function readPosition(words: LineWords, word: NonNullable<ReturnType<LineWords["one"]>>, relative: boolean): Position {
  if (!isNumber(word)) return { kind: "keyword", text: words.filled(word) };
  if (relative && /^[+-]/.test(word.text)) return { kind: "relative", offset: words.wholeNumber(word, -999_999_999) };
  return { kind: "number", number: words.wholeNumber(word, 1) };
}

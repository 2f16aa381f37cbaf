import { isXml } from "../../text/index.ts";
import { keywordOf } from "../keyword.ts";
import { descriptionError, descriptionLines, readWords, type DescriptionLine } from "../lexical-syntax.ts";
import { headKeywords, readHeadLine, type InputHead } from "./input-head.ts";
import { parseExpression } from "./expression.ts";
import { readUpdate, readMaps } from "./value-descriptors.ts";
import type {
  FixedLocation,
  InputDescription,
  InputLocation,
  SplitLocation,
  SplitStore,
  DerivedLocation,
} from "./input-description.ts";
import {
  filenameRepeatable,
  filenameWords,
  namedRepeatable,
  namedWords,
  readFilename,
  readNamed,
  readSeparation,
  separationWords,
  explicitWords,
  readColumn,
  readExplicit,
  readRows,
  readStart,
  tableRepeatable,
  tableWords,
} from "./input-locations.ts";
import { checkedName, LineWords, restOfLine } from "../line-words.ts";
import { mergeTables, type ReadLocation } from "./merge-tables.ts";
import {
  followingKeyword,
  groupGrammar,
  matrixGrammar,
  matrixPartGrammar,
  patternGrammar,
  readMatrix,
  readPattern,
  readTransposed,
  transposedGrammar,
} from "./row-location-text.ts";
import { parseInputXml } from "./input-xml.ts";

const effectWords = ["store", "retrigger", "update"];
const mapWords = ["of", "map", "map_regexp"];

/**
 * `DERIVED name = expression` or `DERIVED name of=parameter map={in,out}`; effects come before the `=`. The text after
 * the `=` is not split into words, because expressions have their own syntax.
 */
function readDerived(line: DescriptionLine, keyword: string, column: number): DerivedLocation {
  const from = column - 1 + keyword.length;
  const head = /^\s+[^\s="]+(?:\s+[A-Za-z_]+=[A-Za-z]+)*\s*=\s*/.exec(line.text.slice(from))?.[0];
  const end = head === undefined ? undefined : from + head.lastIndexOf("=");
  const own = end === undefined ? line : { ...line, text: line.text.slice(0, end) };
  const allowed = [...effectWords, ...mapWords];
  const words = new LineWords(line, keyword, column, readWords(own, from), allowed, ["map", "map_regexp"]);
  const columns = new Map<string, number>();
  const retrigger = words.choice("retrigger", ["yes", "no", "sticky", "auto"]) ?? "auto";
  return {
    kind: "derived",
    name: words.name(),
    from: head === undefined ? readMapped(words) : readComputed(words, from + head.length, columns),
    ...(words.flag("store") ? { storesRow: true } : {}),
    ...readUpdate(words),
    ...(retrigger === "auto" ? {} : { retrigger: retrigger === "sticky" ? "sticky" : retrigger === "yes" }),
    origin: columns.size === 0 ? words.origin : { ...words.origin, columns },
  };
}

/** Adds the column of the first use of each variable to `columns`. */
function readComputed(words: LineWords, from: number, columns: Map<string, number>): DerivedLocation["from"] {
  const [map] = words.all(...mapWords);
  if (map) throw words.error(map, `${map.key} and an expression exclude each other`);
  const term = parseExpression(words.line, from, (name, column) => columns.has(name) || columns.set(name, column));
  return { term };
}

function readMapped(words: LineWords): DerivedLocation["from"] {
  const of = words.one("of");
  const maps = readMaps(words);
  if (of && maps.length > 0) return { parameter: checkedName(words.line, of), maps };
  throw words.error(words, "DERIVED needs an expression, as in DERIVED x = a / b, or of= and map=");
}

const stores = ["current", "enter", "leave", "max", "min", "diff", "sum"] as const;

/** `STORE name [current|enter|leave|…]` of a split location. */
function readStore(words: LineWords): SplitStore {
  const [name, what] = words.bareWords(2);
  if (!name) throw words.error(words, "STORE needs the name of a parameter or result");
  const store = what ? stores.find((each) => each === what.text.toLowerCase()) : "current";
  if (store) return { name: checkedName(words.line, name), store };
  const problem = `'${what?.text.slice(0, 80)}' is none of ${stores.join(", ")}`;
  throw words.error(what ?? words, problem, { word: what?.text ?? "", candidates: stores });
}

/*
 * The input description of the original design: one location per line; empty lines and lines that begin with `#` are
 * comments (docs/input-descriptions.md).
 */

interface Grammar {
  readonly allowed: readonly string[];
  readonly repeatable?: readonly string[];
}

const grammars: Readonly<Record<string, Grammar>> = {
  SEP: { allowed: separationWords, repeatable: namedRepeatable },
  NAMED: { allowed: namedWords, repeatable: namedRepeatable },
  EXPL: { allowed: explicitWords, repeatable: tableRepeatable },
  ROW: { allowed: explicitWords, repeatable: tableRepeatable },
  TABLE: { allowed: tableWords, repeatable: tableRepeatable },
  PATTERN: patternGrammar,
  TRANSPOSED: transposedGrammar,
  MATRIX: matrixGrammar,
  FIXED: { allowed: [] },
  FILENAME: { allowed: filenameWords, repeatable: filenameRepeatable },
  DERIVED: { allowed: [] },
  SPLIT: { allowed: ["update"] },
};
const bareGrammar: Grammar = { allowed: [] };
/** Of lines that belong to the one before them. */
const partGrammars: Readonly<Record<string, Grammar>> = {
  GROUP: groupGrammar,
  ACROSS: matrixPartGrammar,
  DOWN: matrixPartGrammar,
};
const bareGrammars: Readonly<Record<string, Grammar>> = { ENTER: bareGrammar, LEAVE: bareGrammar, END: bareGrammar };
const splitKeywords = ["NAMED", "EXPL", "ROW", "TABLE", "ENTER", "LEAVE", "STORE", "END"];
const topKeywords = [...Object.keys(grammars), ...headKeywords];

/**
 * Reads an input description in either syntax. Fails with `description-error` at file:line:col.
 */
export function readInput(text: string, file: string): InputDescription {
  return isXml(text) ? parseInputXml(text, file) : parseInput(text, file);
}

/** Reads the text syntax. */
export function parseInput(text: string, file: string): InputDescription {
  const lines = descriptionLines(text, file);
  const reader = new InputReader(lines.filter((line) => !/^\s*(?:#|$)/.test(line.text)));
  const { head, locations } = reader.complete();
  const last = lines.at(-1) ?? { file, number: 1, text: "" };
  if (locations.length === 0)
    throw descriptionError(last, 1, "there is no location", {
      advice: `write lines with ${Object.keys(grammars).join(", ")}`,
    });
  return { file, rules: "sets", ...head, locations };
}

class InputReader {
  readonly #lines: readonly DescriptionLine[];
  #at = 0;

  constructor(lines: readonly DescriptionLine[]) {
    this.#lines = lines;
  }

  complete(): { head: InputHead; locations: InputLocation[] } {
    const locations: ReadLocation[] = [];
    let head: InputHead = {};
    for (let line = this.#lines[0]; line; line = this.#lines[this.#at]) {
      this.#at += 1;
      const { keyword, column } = keywordOf(line, topKeywords);
      if (headKeywords.includes(keyword)) head = readHeadLine(head, line, keyword, column);
      else locations.push(this.#location(line, keyword, column));
    }
    return { head, locations: this.#merged(locations) };
  }

  #location(line: DescriptionLine, keyword: string, column: number): ReadLocation {
    if (keyword === "FIXED") return readFixed(line, column - 1 + keyword.length, column);
    if (keyword === "DERIVED") return readDerived(line, keyword, column);
    const words = wordsOf(line, keyword, column);
    switch (keyword) {
      case "SEP":
        return readSeparation(words);
      case "NAMED":
        return readNamed(words);
      case "TABLE":
        return readColumn(words);
      case "PATTERN":
        return readPattern(words, this.#parts(["GROUP"]));
      case "TRANSPOSED":
        return readTransposed(words);
      case "MATRIX":
        return this.#matrix(words);
      case "FILENAME":
        return readFilename(words);
      case "SPLIT":
        return this.#split(words);
      default:
        return readExplicit(words);
    }
  }

  #merged(locations: readonly ReadLocation[]): InputLocation[] {
    const lines = new Map(this.#lines.map((line) => [line.number, line]));
    return mergeTables(locations, ({ line, column }, problem) =>
      descriptionError(lines.get(line) ?? { file: "", number: line, text: "" }, column, problem),
    );
  }

  #matrix(words: LineWords): InputLocation {
    const rows = readRows(words);
    const start = readStart(words, rows);
    if (start < 1) throw words.error(words.one("start") ?? words, "the cells of a matrix begin below its headings");
    return readMatrix(words, rows, start, this.#parts(["ACROSS", "DOWN"]));
  }

  /** The next lines that have one of the keywords. */
  #parts(keywords: readonly string[]): LineWords[] {
    const parts: LineWords[] = [];
    for (;;) {
      const line = this.#lines[this.#at];
      if (!line || followingKeyword(line, keywords) === undefined) return parts;
      this.#at += 1;
      const { keyword, column } = keywordOf(line, keywords);
      parts.push(wordsOf(line, keyword, column));
    }
  }

  /** The lines from SPLIT to END. */
  #split(words: LineWords): SplitLocation {
    const update = readUpdate(words);
    const name = words.name();
    const parts: Record<string, ReadLocation[]> = { ENTER: [], LEAVE: [] };
    const stores: SplitStore[] = [];
    for (let part: string | undefined; ;) {
      const line = this.#lines[this.#at];
      if (!line) throw words.error(words, "SPLIT needs END");
      this.#at += 1;
      const { keyword, column } = keywordOf(line, splitKeywords);
      if (keyword === "STORE") stores.push(readStore(wordsOf(line, keyword, column)));
      else if (Object.hasOwn(bareGrammars, keyword)) part = partOf(wordsOf(line, keyword, column));
      else if (part) parts[part]?.push(this.#location(line, keyword, column));
      else throw descriptionError(line, column, `${keyword} within SPLIT needs ENTER or LEAVE before it`);
      if (keyword === "END") break;
    }
    const missing = Object.entries({ ...parts, STORE: stores }).find(([, list]) => list.length === 0)?.[0];
    if (missing !== undefined) throw words.error(words, `SPLIT ${name} has nothing to ${missing}`);
    const [enter, leave] = [this.#merged(parts["ENTER"] ?? []), this.#merged(parts["LEAVE"] ?? [])];
    return { kind: "split", name, enter, leave, stores, ...update, origin: words.origin };
  }
}

function partOf(words: LineWords): string {
  words.bareWords(0);
  return words.keyword;
}

function wordsOf(line: DescriptionLine, keyword: string, column: number): LineWords {
  const { allowed, repeatable = [] } = grammars[keyword] ?? partGrammars[keyword] ?? bareGrammar;
  return new LineWords(line, keyword, column, readWords(line, column - 1 + keyword.length), allowed, repeatable);
}

/** `FIXED name value`: the value is the rest of the line, quoted or not. */
function readFixed(line: DescriptionLine, from: number, column: number): FixedLocation {
  const match = /^(\s+)(\S+)/.exec(line.text.slice(from));
  const nameAt = from + (match?.[1] ?? "").length;
  const value = match ? restOfLine(line, nameAt + (match[2] ?? "").length) : undefined;
  if (!match || value === undefined)
    throw descriptionError(line, column, "FIXED needs a name and a value, as in FIXED N_proc 16");
  const name = checkedName(line, { column: nameAt + 1, text: match[2] ?? "", quoted: false });
  return { kind: "fixed", name, value, origin: { line: line.number, column } };
}

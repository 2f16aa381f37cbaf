import { nearest } from "../core/near-names.ts";
import { isName } from "../core/variable.ts";
import { descriptionError, descriptionLines, readWords, type DescriptionLine, type Word } from "./description-words.ts";
import { unitAt } from "./experiment-variable.ts";
import type {
  Cut,
  ExplicitLocation,
  FixedLocation,
  InputDescription,
  InputLocation,
  NamedLocation,
  Position,
  RowMark,
  Separation,
  TableLocation,
  TableValue,
} from "./input-description.ts";
import { parseInputXml } from "./input-xml.ts";
import { compilePattern } from "./pattern.ts";
import { isXml } from "./xml.ts";

/* The seed's input description: one location a line, empty lines and lines that begin with `#` are remarks (docs/input-descriptions.md). */

const cutWords = ["len", "ws", "ignore", "unit"];
const descriptors: Readonly<Record<string, readonly string[]>> = {
  SEP: ["string", "regexp", "param", "alias", "run", ...cutWords],
  NAMED: ["alias", "regexp", ...cutWords],
  EXPL: ["row", "regexp", "pos", "rep", "typed", ...cutWords],
  ROW: ["row", "regexp", "pos", "rep", "typed", ...cutWords],
  TABLE: ["row", "regexp", "skip", "pos", "rep", "typed", ...cutWords],
  FIXED: [],
};
const repeatable = ["alias", "regexp"];
const keywords = Object.keys(descriptors);

/** Reads an input description in either spelling; `file` is named in errors. Fails with `description-error` at file:line:col. */
export function readInput(text: string, file: string): InputDescription {
  return isXml(text) ? parseInputXml(text, file) : parseInput(text, file);
}

/** Reads the text spelling. */
export function parseInput(text: string, file: string): InputDescription {
  const lines = descriptionLines(text, file);
  const locations = joinedTables(lines.filter((line) => !/^\s*(?:#|$)/.test(line.text)).map(readLocation));
  const last = lines.at(-1) ?? { file, number: 1, text: "" };
  if (locations.length === 0)
    throw descriptionError(last, 1, "there is no location", { advice: `write lines with ${keywords.join(", ")}` });
  return { file, rules: "sets", locations };
}

/** Columns with the same row, skip and blanks make one table, which stands where its first column does. */
function joinedTables(locations: readonly InputLocation[]): InputLocation[] {
  const tables = new Map<string, TableValue[]>();
  return locations.flatMap((location) => {
    if (location.kind !== "table") return location;
    const { rows, start, blanks, values } = location;
    const key = JSON.stringify([rows, start, blanks]);
    const known = tables.get(key);
    if (known) known.push(...values);
    else tables.set(key, [...values]);
    return known ? [] : { ...location, values: tables.get(key) ?? [] };
  });
}

function readLocation(line: DescriptionLine): InputLocation {
  const start = line.text.search(/\S/);
  const keyword = /^\S+/.exec(line.text.slice(start))?.[0] ?? "";
  const known = keywords.find((each) => each === keyword.toUpperCase());
  if (known === undefined) {
    const near = nearest(keyword.slice(0, 40), keywords);
    const guess = near.length > 0 ? `, did you mean ${near.join(", ")}?` : "";
    throw descriptionError(line, start + 1, `unknown keyword '${keyword.slice(0, 40)}'${guess}`, {
      advice: `keywords are ${keywords.join(", ")}`,
    });
  }
  if (known === "FIXED") return readFixed(line, start + keyword.length, start + 1);
  return new LocationReader(line, known, start + 1, readWords(line, start + keyword.length)).location();
}

/** `FIXED name content`: the content is the rest of the line, quoted or not. */
function readFixed(line: DescriptionLine, from: number, column: number): FixedLocation {
  const match = /^(\s+)(\S+)\s*(.*?)\s*$/.exec(line.text.slice(from));
  const origin = { line: line.number, column };
  if (!match || match[3] === "") throw descriptionError(line, column, "FIXED needs a name and a content, as in FIXED N_proc 16");
  const nameAt = from + (match[1] ?? "").length;
  const contentAt = line.text.indexOf(match[3] ?? "", nameAt + (match[2] ?? "").length);
  const name = checkedName(line, { column: nameAt + 1, text: match[2] ?? "", quoted: false });
  const rest = match[3] ?? "";
  if (!rest.startsWith('"')) return { kind: "fixed", name, content: rest, origin };
  const [word, more] = readWords(line, contentAt);
  if (more) throw descriptionError(line, more.column, `'${more.text}' is one word too many after the quoted content`);
  return { kind: "fixed", name, content: word?.text ?? "", origin };
}

function checkedName(line: DescriptionLine, word: Word): string {
  if (isName(word.text)) return word.text;
  throw descriptionError(line, word.column, `'${word.text.slice(0, 80)}' is no name of a parameter or result`);
}

/** Reads the words of one location by its keyword. */
class LocationReader {
  private readonly line: DescriptionLine;
  private readonly keyword: string;
  readonly column: number;
  private readonly named = new Map<string, Word[]>();
  private readonly bare: Word[] = [];

  constructor(line: DescriptionLine, keyword: string, column: number, words: readonly Word[]) {
    this.line = line;
    this.keyword = keyword;
    this.column = column;
    for (const word of words) this.add(word);
  }

  private add(word: Word): void {
    const allowed = descriptors[this.keyword] ?? [];
    const flag = word.key === undefined && !word.quoted && word.text === "typed" && allowed.includes("typed");
    const key = flag ? "typed" : word.key;
    if (key === undefined) {
      this.bare.push(word);
      return;
    }
    if (!allowed.includes(key)) {
      const advice = `${this.keyword} takes ${allowed.map((each) => `${each}=`).join(" ")}`;
      throw this.error(word, `${this.keyword} has no descriptor '${key}'`, { word: key, candidates: allowed, advice });
    }
    if (word.list) throw this.error(word, `${key} takes one content, not a list`);
    const before = this.named.get(key) ?? [];
    if (before.length > 0 && !repeatable.includes(key)) throw this.error(word, `${key} is given twice`);
    this.named.set(key, [...before, flag ? { ...word, text: "yes" } : word]);
  }

  private error(word: { readonly column: number }, problem: string, details = {}): Error {
    return descriptionError(this.line, word.column, problem, details);
  }

  location(): NamedLocation | ExplicitLocation | TableLocation | Separation {
    if (this.keyword === "SEP") return this.separation();
    const [word, more] = this.bare;
    if (!word) throw this.error(this, `${this.keyword} needs the name of a parameter or result`);
    if (more) throw this.error(more, `'${more.text}' is one word too many`, { advice: "quote contents that hold blanks" });
    const name = checkedName(this.line, word);
    if (this.keyword === "NAMED") return this.namedLocation(name);
    return this.keyword === "TABLE" ? this.table(name) : this.explicit(name);
  }

  private get origin(): { line: number; column: number } {
    return { line: this.line.number, column: this.column };
  }

  private separation(): Separation {
    const [extra] = this.bare;
    if (extra) throw this.error(extra, `SEP needs string=, regexp= or param= before '${extra.text}'`);
    const marks = ["string", this.named.has("param") ? "param" : "regexp"].filter((key) => this.named.has(key));
    if (marks.length !== 1) throw this.error(this, "SEP needs one of string=, regexp= and param=");
    return { kind: "separation", mark: this.separationMark(), run: this.flag("run"), origin: this.origin };
  }

  private separationMark(): Separation["mark"] {
    const param = this.one("param");
    if (param) return this.namedLocation(checkedName(this.line, param));
    const stray = [...this.named].find(([key]) => key === "alias" || cutWords.includes(key))?.[1][0];
    if (stray) throw this.error(stray, `${stray.key} needs param=`);
    const text = this.one("string");
    return text ? { kind: "keyword", text: this.filled(text) } : { kind: "pattern", source: this.pattern("regexp") };
  }

  private namedLocation(name: string): NamedLocation {
    const aliases = (this.named.get("alias") ?? []).map((word) => this.filled(word));
    const patterns = (this.named.get("regexp") ?? []).map((word) => this.checkedPattern(word));
    return { kind: "named", name, aliases, patterns, ...this.cut(), origin: this.origin };
  }

  private explicit(name: string): ExplicitLocation {
    const row = this.row();
    if (!row || (row.kind === "number" && row.number === 0))
      throw this.error(this.one("row") ?? this, `${this.keyword} needs row=, a number from 1 on or a keyword`);
    return { kind: "explicit", name, row, ...this.entry(), ...this.cut(), origin: this.origin };
  }

  private table(name: string): TableLocation {
    const row = this.row();
    const skip = this.number("skip", 0, 0);
    if (skip > 0 && !row) throw this.error(this.one("skip") ?? this, "skip needs row=");
    const { blanks, ...cut } = this.cut();
    const value: TableValue = { name, ...this.entry(), ...cut, origin: this.origin };
    const place = { rows: row ? [row] : [], start: skip + 1, ...(blanks === undefined ? {} : { blanks }) };
    return { kind: "table", ...place, values: [value], origin: this.origin };
  }

  private row(): RowMark | undefined {
    const word = this.one("row");
    const pattern = this.one("regexp");
    if (word && pattern) throw this.error(pattern, "row= and regexp= exclude each other");
    if (pattern) return { kind: "pattern", source: this.pattern("regexp") };
    if (!word) return undefined;
    return this.isNumber(word) ? { kind: "number", number: this.number("row", 0, 0) } : { kind: "keyword", text: this.filled(word) };
  }

  private entry(): { position: Position; repetition: number; typed: boolean } {
    const word = this.one("pos");
    if (!word) throw this.error(this, `${this.keyword} needs pos=, a number from 1 on or a keyword`);
    const keyword = !this.isNumber(word);
    const rep = this.one("rep");
    if (rep && !keyword) throw this.error(rep, "rep needs a keyword as pos");
    const position: Position = keyword
      ? { kind: "keyword", text: this.filled(word) }
      : { kind: "number", number: this.number("pos", 1, 1) };
    return { position, repetition: this.number("rep", 1, 1), typed: this.flag("typed") };
  }

  private cut(): Cut {
    const [ws, ignore] = [this.one("ws"), this.one("ignore")];
    if (ws && ignore) throw this.error(ignore, "ws and ignore are the same, give one");
    const blanks = (ws ?? ignore)?.text.replaceAll(/\s/g, "");
    const unit = this.one("unit");
    return {
      ...(this.named.has("len") ? { length: this.number("len", 0, 0) } : {}),
      ...(blanks ? { blanks } : {}),
      ...(unit ? { unit: unit.text === "text" ? "text" : unitAt(this.line, unit) } : {}),
    };
  }

  private one(key: string): Word | undefined {
    return this.named.get(key)?.[0];
  }

  private isNumber(word: Word): boolean {
    return !word.quoted && /^[+-]?\d+$/.test(word.text);
  }

  private number(key: string, least: number, otherwise: number): number {
    const word = this.one(key);
    if (!word) return otherwise;
    const value = /^\d{1,9}$/.test(word.text) ? Number(word.text) : -1;
    if (value >= least) return value;
    throw this.error(word, `${key} '${word.text}' is no whole number from ${least} on`);
  }

  private flag(key: string): boolean {
    const word = this.one(key);
    if (!word) return false;
    if (/^(?:yes|no)$/i.test(word.text)) return word.text.toLowerCase() === "yes";
    throw this.error(word, `${key} '${word.text}' is neither yes nor no`);
  }

  private filled(word: Word): string {
    if (word.text !== "" && !/[\r\n]/.test(word.text)) return word.text;
    throw this.error(word, `${word.key} needs a text within one line`);
  }

  private pattern(key: string): string {
    const word = this.one(key);
    return word ? this.checkedPattern(word) : "";
  }

  private checkedPattern(word: Word): string {
    compilePattern(this.filled(word), { file: this.line.file, line: this.line.number, column: word.column });
    return word.text;
  }
}

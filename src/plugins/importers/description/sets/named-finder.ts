import { InvalidValue } from "../../../../core/values/index.ts";
import { hasUnits } from "../../../../core/variables/index.ts";
import type { NamedLocation, Trigger } from "../../../../formats/descriptions/index.ts";
import { compilePattern, type Pattern } from "../../../../formats/text/index.ts";
import type { ValueReader } from "../value-reader.ts";
import type { Finder, FinderResult } from "../finder.ts";
import { blockFinder, linesFinder } from "./multi-line-finders.ts";
import type { Line } from "../line.ts";
import { literalsOf, type Literal } from "../keyword-search.ts";
import { nextSelectedRow, markerOf } from "../row-mark.ts";

/** Maximum number of pending lines; bounds memory when every line is a trigger. */
const mostDue = 1024;

/** Applies `inner` only to lines at a trigger's distance after its mark. */
function triggeredFinder(triggers: readonly Trigger[], inner: Finder): Finder {
  const marks = triggers.map(({ mark, skip }) => ({ marker: markerOf(mark), skip }));
  const due = new Set<number>();
  let last = { number: -1, taken: false };
  const isTaken = (line: Line): boolean => {
    if (last.number === line.number) return last.taken;
    for (const { marker, skip } of marks) if (due.size < mostDue && marker.marks(line)) due.add(line.number + skip);
    last = { number: line.number, taken: due.delete(line.number) };
    return last.taken;
  };
  return {
    reader: inner.reader,
    literals: marks.flatMap(({ marker }) => marker.literals),
    everyLine: marks.some(({ marker }) => marker.everyLine),
    nextRow: (from) =>
      Math.min(
        ...[...due].filter((number) => number >= from),
        ...marks.map(({ marker }) => nextSelectedRow(marker, from)),
      ),
    find: (line): FinderResult => (isTaken(line) ? inner.find(line) : undefined),
    count: (line) => (isTaken(line) ? (inner.count?.(line) ?? 0) : 0),
  };
}

/** Maximum occurrences of one keyword tried per line; avoids quadratic time. */
const mostTries = 64;

/** One spelling of a keyword. */
interface Spelling {
  readonly literal: Literal;
  readonly terminator: string | undefined;
  /** Reported when a match has no valid value; undefined for texts, which always have one. */
  readonly misfit: InvalidValue | undefined;
}

/**
 * Finds the value at the variable's name, an alias, a text or a pattern (its first group, if any), or between marks.
 */
export function namedFinder(location: NamedLocation, reader: ValueReader): Finder {
  if (location.block) return blockFinder(location.block, reader);
  const marks = new ValueMarks(location, reader);
  const { lines, triggers } = location;
  if (triggers && triggers.length > 0) {
    const finder = triggeredFinder(triggers, marks.isEmpty ? wholeLine(reader) : marks.finder());
    return lines === undefined
      ? finder
      : linesFinder(lines, finder, (line) => (finder.find(line) === undefined ? undefined : marks.piece(line)));
  }
  return lines === undefined ? marks.finder() : linesFinder(lines, marks.finder(), (line) => marks.piece(line));
}

/** The first valid result of several finders. */
export function anyFinder(finders: readonly Finder[]): Finder | undefined {
  const [first, ...rest] = finders;
  if (!first || rest.length === 0) return first;
  return {
    reader: first.reader,
    literals: finders.flatMap((finder) => finder.literals),
    get everyLine() {
      return finders.some((finder) => finder.everyLine);
    },
    nextRow: (from) => Math.min(...finders.map((finder) => nextSelectedRow(finder, from))),
    find: (line) => firstValue(finders.map((finder) => finder.find(line))),
    finish: () => firstValue(finders.map((finder) => finder.finish?.())),
  };
}

function firstValue(found: readonly FinderResult[]): FinderResult {
  return (
    found.find((each) => each !== undefined && !(each instanceof InvalidValue)) ??
    found.find((each) => each !== undefined)
  );
}

function wholeLine(reader: ValueReader): Finder {
  return { reader, literals: [], everyLine: false, find: (line) => reader.read(line.rest(line.start)), count: () => 1 };
}

/** All keywords and patterns that locate the value in a line. */
class ValueMarks {
  readonly #reader: ValueReader;
  readonly #leads: boolean;
  readonly #words: readonly Spelling[];
  readonly #patterns: readonly Pattern[];
  readonly #needed: readonly (readonly Literal[])[];
  /** Matches the characters between a keyword and its value. */
  readonly #between: RegExp;
  readonly #misfits: ReadonlyMap<Pattern, InvalidValue>;

  constructor(location: NamedLocation, reader: ValueReader) {
    const { name, aliases, matches = [], patterns, triggers = [], blanks } = location;
    const isNamed = patterns.length + matches.length + triggers.length === 0;
    this.#reader = reader;
    this.#leads = location.leads === true;
    this.#words = [
      ...(isNamed ? [name, ...aliases] : aliases).flatMap((keyword) =>
        spellingsOf(keyword, true, undefined, reader, this.#leads),
      ),
      ...matches.flatMap(({ text, terminator }) => spellingsOf(text, false, terminator, reader, this.#leads)),
    ];
    this.#patterns = patterns.map((source) => compilePattern(source));
    this.#needed = this.#patterns.map(({ literal }) => (literal === "" ? [] : literalsOf(literal, false)));
    const characters =
      blanks === undefined ? String.raw`[\s=:]+` : `[\\s${blanks.replaceAll(/[\\\]^-]/g, String.raw`\$&`)}]+`;
    this.#between = new RegExp(`^${characters}`);
    this.#misfits = new Map(
      isText(reader) ? [] : this.#patterns.map((pattern) => [pattern, patternMisfit(pattern, reader)]),
    );
  }

  get isEmpty(): boolean {
    return this.#words.length + this.#patterns.length === 0;
  }

  finder(): Finder {
    return {
      reader: this.#reader,
      literals: [...this.#words.map((word) => word.literal), ...this.#needed.flat()],
      everyLine: this.#needed.some((literals) => literals.length === 0),
      find: (line) => this.#find(line),
      count: (line) => this.#count(line),
    };
  }

  #find(line: Line): FinderResult {
    const found = this.#atWord(line);
    return found !== undefined && !(found instanceof InvalidValue) ? found : (this.#atPattern(line) ?? found);
  }

  #atWord(line: Line): FinderResult {
    let misfit: InvalidValue | undefined;
    for (const word of this.#words) {
      if (word.literal.next(line.block.text, line.start) >= line.end) continue;
      let tries = 0;
      for (const at of word.literal.within(line)) {
        if (++tries > mostTries) break;
        const text = this.#leads
          ? this.#trimEnd(line.before(at))
          : line.rest(at + word.literal.length).replace(this.#between, "");
        const value = this.#read(text, word.terminator);
        if (value !== undefined && !(value instanceof InvalidValue)) return value;
        misfit ??= value ?? (text === "" ? undefined : word.misfit);
      }
    }
    return misfit;
  }

  #atPattern(line: Line): FinderResult {
    let misfit: InvalidValue | undefined;
    for (const pattern of this.#patterns) {
      const text = line.rest(line.start);
      const match = pattern.search(text);
      if (!match) continue;
      const [group] = match.groups;
      const rest = this.#leads
        ? this.#trimEnd(text.slice(0, match.start))
        : text.slice(match.end).replace(this.#between, "");
      const value = match.groups.length > 0 ? this.#reader.read(group ?? "") : this.#read(rest, undefined);
      if (value !== undefined && !(value instanceof InvalidValue)) return value;
      misfit ??= value ?? this.#misfits.get(pattern);
    }
    return misfit;
  }

  #read(text: string, terminator: string | undefined): FinderResult {
    if (terminator === undefined) return this.#leads ? this.#reader.readLast(text) : this.#reader.read(text);
    const at = this.#leads ? text.lastIndexOf(terminator) : text.indexOf(terminator);
    if (at < 0) return this.#reader.readField(text);
    return this.#reader.readField(this.#leads ? text.slice(at + terminator.length) : text.slice(0, at));
  }

  /** Trims `between` from the end by characters; a pattern would take quadratic time. */
  #trimEnd(text: string): string {
    let end = text.length;
    while (end > 0 && this.#between.test(text.charAt(end - 1))) end -= 1;
    return text.slice(0, end);
  }

  #count(line: Line): number {
    let count = 0;
    for (const { literal } of this.#words) for (const _ of literal.within(line)) count += 1;
    const text = this.#patterns.length > 0 ? line.rest(line.start) : "";
    for (const pattern of this.#patterns) for (const _ of pattern.all(text)) count += 1;
    return count;
  }

  /** The text after the first match of the line; undefined when there is none. */
  piece(line: Line): string | undefined {
    if (this.isEmpty) return line.rest(line.start);
    for (const { literal } of this.#words) {
      const at = literal.next(line.block.text, line.start);
      if (at < line.end) return line.rest(at + literal.length).replace(this.#between, "");
    }
    const text = line.rest(line.start);
    for (const pattern of this.#patterns) {
      const match = pattern.search(text);
      if (match)
        return match.groups.length > 0 ? (match.groups[0] ?? "") : text.slice(match.end).replace(this.#between, "");
    }
    return undefined;
  }
}

function isText({ variable: { type } }: ValueReader): boolean {
  return type === "string" || type === "text";
}

function spellingsOf(
  keyword: string,
  whole: boolean,
  terminator: string | undefined,
  reader: ValueReader,
  leads: boolean,
): Spelling[] {
  const side = leads ? "before" : "after";
  const misfit = hasUnits(reader.variable.type)
    ? new InvalidValue(`'${keyword}' found, but no ${reader.typeName} ${side} it`)
    : undefined;
  return literalsOf(keyword, whole).map((literal) => ({ literal, terminator, misfit }));
}

function patternMisfit({ source }: Pattern, reader: ValueReader): InvalidValue {
  return new InvalidValue(`'${source.slice(0, 80)}' matches, but yields no ${reader.typeName}`);
}

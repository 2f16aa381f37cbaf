import { InvalidValue, readFloat, formatValue } from "../../../../core/values/index.ts";
import { hasUnits, type Variable } from "../../../../core/variables/index.ts";
import type { ExplicitLocation, NamedLocation, BlockMark } from "../../../../formats/descriptions/index.ts";
import { compilePattern } from "../../../../formats/text/index.ts";
import { entriesOf, occurrence } from "../explicit-finder.ts";
import type { Literal } from "../keyword-search.ts";
import { markerOf } from "../row-mark.ts";
import { valueText } from "./cut-text.ts";
import { matchLocator, patternLocator, type Locator } from "./locator.ts";
import { LinesFinder, NamedFinder } from "./named-finder.ts";
import { TextAccumulator } from "./text-accumulator.ts";
import type { TextFinder, Look } from "./text-finder.ts";
import { Triggers } from "./triggers.ts";

interface Edge {
  readonly start: number;
  readonly end: number;
  readonly skip: number;
}

type Finder = (text: string) => Edge | undefined;

/** Finds the text between a begin and an end mark. */
class BlockFinder implements TextFinder {
  readonly literals: readonly Literal[];
  readonly due = Number.POSITIVE_INFINITY;
  readonly #begin: Finder;
  readonly #end: Finder;
  readonly #always: boolean;
  readonly #text: TextAccumulator;
  #inside = false;
  #toSkip = 0;

  constructor(block: NonNullable<NamedLocation["block"]>, cut: () => void) {
    const markers = block.begin.map(({ mark }) => markerOf(mark));
    this.literals = markers.flatMap((marker) => marker.literals);
    this.#always = markers.some((marker) => marker.everyLine);
    this.#begin = firstOf(block.begin);
    this.#end = firstOf(block.end);
    this.#text = new TextAccumulator(cut);
  }

  /** Every line within the block has to be examined. */
  get everyLine(): boolean {
    return this.#always || this.#inside;
  }

  find({ line }: Look): string | undefined {
    const text = line.rest(line.start);
    if (this.#inside) return this.#take(text);
    const begin = this.#begin(text);
    if (!begin) return undefined;
    this.#inside = true;
    this.#toSkip = begin.skip;
    const rest = text.slice(begin.end);
    return rest.trim() === "" ? this.#skipped() : this.#take(rest);
  }

  #skipped(): undefined {
    if (this.#toSkip > 0) this.#toSkip -= 1;
  }

  #take(text: string): string | undefined {
    const end = this.#end(text);
    if (end) {
      if (this.#toSkip === 0) this.#text.add(text.slice(0, end.start));
      this.#inside = false;
      return this.#text.take();
    }
    if (this.#toSkip > 0) return this.#skipped();
    this.#text.add(`${text}\n`);
    return undefined;
  }

  count(look: Look): number {
    return this.find(look) === undefined ? 0 : 1;
  }

  reset(): void {
    this.#inside = false;
    this.#text.take();
  }
}

/** The first of the marks in a line. */
function firstOf(marks: readonly BlockMark[]): Finder {
  const finders = marks.map(finderOf);
  return (text) => {
    const found = finders.map((find) => find(text)).filter((each) => each !== undefined);
    return found.reduce<Edge | undefined>(
      (first, each) => (first && first.start <= each.start ? first : each),
      undefined,
    );
  };
}

function finderOf({ mark, skip }: BlockMark): Finder {
  if (mark.kind === "pattern") {
    const pattern = compilePattern(mark.source);
    return (text) => {
      const match = pattern.search(text);
      return match && { start: match.start, end: match.end, skip };
    };
  }
  return (text) => {
    const start = text.indexOf(mark.text);
    return start < 0 ? undefined : { start, end: start + mark.text.length, skip };
  };
}

/** Calls `cut` when a multi-line text is too long. undefined: the location has nothing to search for. */
export function namedFinder(location: NamedLocation, variable: Variable, cut: () => void): TextFinder | undefined {
  if (location.block) return new BlockFinder(location.block, cut);
  const { matches = [], aliases, patterns, leads = false } = location;
  const locators = [
    ...matches.map((match) => matchLocator(match, leads)),
    ...aliases.map((text) => matchLocator({ text }, leads, true)),
    ...patterns.map((source) => patternLocator(source, leads)),
  ];
  const triggers = location.triggers && location.triggers.length > 0 ? new Triggers(location.triggers) : undefined;
  if (locators.length === 0 && !triggers) locators.push(...valueLocators(location, variable));
  if (locators.length === 0 && !triggers) return undefined;
  const finder = new NamedFinder(location, locators, triggers);
  return location.lines === undefined ? finder : new LinesFinder(finder, location.lines, cut);
}

/** Valid values and inputs of maps serve as keywords and as values. */
function valueLocators({ maps = [] }: NamedLocation, variable: Variable): Locator[] {
  const valid = (variable.valid ?? []).map((value) => ({
    kind: "keyword" as const,
    text: formatValue(value, variable.type),
  }));
  return [...valid, ...maps.map(({ from }) => from)].map((mark) => {
    if (mark.kind === "keyword") {
      const { text } = mark;
      return {
        ...matchLocator({ text }, false),
        find: (line) => (line.includes(text) ? { text, terminator: "\n" } : undefined),
      };
    }
    const pattern = compilePattern(mark.source);
    return {
      ...patternLocator(mark.source, false),
      find: (line) => {
        const match = pattern.search(line);
        return match && { text: line.slice(match.start, match.end), terminator: "\n" };
      },
    };
  });
}

/** Finds the entry of a row that a number, a keyword or a pattern selects. */
export function explicitFinder(location: ExplicitLocation, variable: Variable): TextFinder {
  const marker = markerOf(location.row);
  return {
    literals: marker.literals,
    everyLine: marker.everyLine,
    due: marker.row ?? Number.POSITIVE_INFINITY,
    find: ({ line }) => (marker.marks(line) ? entryOf(line.rest(line.start), location, variable) : undefined),
    count: ({ line }) => (marker.marks(line) ? 1 : 0),
    reset: () => {},
  };
}

function entryOf(row: string, location: ExplicitLocation, variable: Variable): string | undefined {
  const { position, repetition } = location;
  if (position.kind === "relative") return undefined;
  const at = position.kind === "keyword" ? occurrence(row, position.text, repetition) : 0;
  if (at < 0) return undefined;
  const rest = position.kind === "keyword" ? row.slice(at + position.text.length) : row;
  const index = position.kind === "keyword" ? 1 : position.number;
  let seen = 0;
  for (const entry of entriesOf(rest, location.blanks)) {
    if (location.typed && hasUnits(variable.type) === readFloat(entry.text.slice(0, 500)) instanceof InvalidValue)
      continue;
    seen += 1;
    if (seen === index) return valueText({ text: rest.slice(entry.at) }, location, false);
  }
  return undefined;
}

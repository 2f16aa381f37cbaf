import type { BlockMark, NamedLocation } from "../../../../formats/descriptions/input/input-description.ts";
import { compilePattern } from "../../../../formats/text/pattern.ts";
import { markerOf } from "../row-mark.ts";
import type { Literal } from "../keyword-search.ts";
import { Collected } from "./text-accumulator.ts";
import type { Look, TextFinder } from "./text-finder.ts";

interface Edge {
  readonly start: number;
  readonly end: number;
  readonly skip: number;
}

type Finder = (text: string) => Edge | undefined;

/** Finds the text between a begin and an end mark. */
export class BlockFinder implements TextFinder {
  readonly literals: readonly Literal[];
  readonly due = Number.POSITIVE_INFINITY;
  readonly #begin: Finder;
  readonly #end: Finder;
  readonly #always: boolean;
  readonly #text: Collected;
  #inside = false;
  #toSkip = 0;

  constructor(block: NonNullable<NamedLocation["block"]>, cut: () => void) {
    const markers = block.begin.map(({ mark }) => markerOf(mark));
    this.literals = markers.flatMap((marker) => marker.literals);
    this.#always = markers.some((marker) => marker.everyLine);
    this.#begin = firstOf(block.begin);
    this.#end = firstOf(block.end);
    this.#text = new Collected(cut);
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

import type { BlockMark, NamedLocation } from "../../../../formats/descriptions/index.ts";
import { compilePattern } from "../../../../formats/text/index.ts";
import type { Finder, Look, Spot } from "./finder.ts";
import type { Literal } from "./keyword-search.ts";
import { oncePerLine } from "./named-finder.ts";
import { markerOf } from "../row-mark.ts";
import { TextAccumulator } from "./text-accumulator.ts";

interface Edge {
  readonly start: number;
  readonly end: number;
  readonly skip: number;
}

type EdgeSearch = (text: string) => Edge | undefined;

/** Finds the text between a begin and an end mark. */
export class BlockFinder implements Finder {
  readonly literals: readonly Literal[];
  readonly #begin: EdgeSearch;
  readonly #end: EdgeSearch;
  readonly #always: boolean;
  readonly #text: TextAccumulator;
  /** True: an end mark in a skipped line ends the block. */
  readonly #endsInSkipped: boolean;
  #inside = false;
  #toSkip = 0;
  readonly spots = oncePerLine((look) => this.#find(look));

  constructor(block: NonNullable<NamedLocation["block"]>, endsInSkipped: boolean, cut: () => void) {
    const markers = block.begin.map(({ mark }) => markerOf(mark));
    this.literals = markers.flatMap((marker) => marker.literals);
    this.#always = markers.some((marker) => marker.everyLine);
    this.#begin = firstOf(block.begin);
    this.#end = firstOf(block.end);
    this.#endsInSkipped = endsInSkipped;
    this.#text = new TextAccumulator(cut);
  }

  /** Every line within the block has to be examined. */
  get everyLine(): boolean {
    return this.#always || this.#inside;
  }

  #find({ line }: Look): Spot | undefined {
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

  #take(text: string): Spot | undefined {
    const end = this.#toSkip === 0 || this.#endsInSkipped ? this.#end(text) : undefined;
    if (end) {
      if (this.#toSkip === 0) this.#text.add(text.slice(0, end.start));
      this.#inside = false;
      return this.#text.take();
    }
    if (this.#toSkip > 0) return this.#skipped();
    this.#text.add(`${text}\n`);
    return undefined;
  }

  rest(): Spot | undefined {
    if (!this.#inside) return undefined;
    this.#inside = false;
    return { ...this.#text.take(), lines: "open" };
  }

  count(look: Look): number {
    return this.spots(look).length;
  }

  reset(): void {
    this.#inside = false;
    this.#text.take();
  }
}

/** The first of the marks in a line. */
function firstOf(marks: readonly BlockMark[]): EdgeSearch {
  const searches = marks.map(searchOf);
  return (text) => {
    const found = searches.map((search) => search(text)).filter((each) => each !== undefined);
    return found.reduce<Edge | undefined>(
      (first, each) => (first && first.start <= each.start ? first : each),
      undefined,
    );
  };
}

function searchOf({ mark, skip }: BlockMark): EdgeSearch {
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

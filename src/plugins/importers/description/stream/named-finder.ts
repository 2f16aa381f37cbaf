import type { NamedLocation } from "../../../../formats/descriptions/index.ts";
import type { Line } from "../line.ts";
import type { Literal } from "../keyword-search.ts";
import { TextAccumulator } from "./text-accumulator.ts";
import { valueText } from "./cut-text.ts";
import type { Locator, Spot } from "./locator.ts";
import type { Look, TextFinder } from "./text-finder.ts";
import type { Triggers } from "./triggers.ts";

/** Finds the value next to a keyword or a pattern, in its line or in one that a trigger selects. */
export class NamedFinder implements TextFinder {
  readonly literals: readonly Literal[];
  readonly #location: NamedLocation;
  readonly #locators: readonly Locator[];
  readonly #triggers: Triggers | undefined;
  readonly #always: boolean;
  readonly onlyLiterals: boolean;

  constructor(location: NamedLocation, locators: readonly Locator[], triggers: Triggers | undefined) {
    this.#location = location;
    this.#locators = locators;
    this.#triggers = triggers;
    const seekers = triggers ? triggers.markers.map(({ marker }) => marker) : locators;
    this.literals = seekers.flatMap((seeker) => seeker.literals);
    this.#always = seekers.some((seeker) => seeker.everyLine);
    this.onlyLiterals = !this.#always && triggers === undefined;
  }

  get everyLine(): boolean {
    return this.#always;
  }

  get due(): number {
    return this.#triggers?.due ?? Number.POSITIVE_INFINITY;
  }

  mayFind({ block, start, end }: Line): boolean {
    if (!this.onlyLiterals) return true;
    for (const literal of this.literals) if (literal.next(block.text, start) < end) return true;
    return false;
  }

  find(look: Look): string | undefined {
    const spot = this.spot(look);
    return spot && valueText(spot, this.#location, this.#location.leads ?? false);
  }

  /** The complete text next to the mark. */
  spot(look: Look): Spot | undefined {
    const text = this.#textOf(look);
    if (text === undefined) return undefined;
    if (this.#locators.length === 0) return { text };
    for (const locator of this.#locators) {
      const spot = locator.find(text);
      if (spot) return spot;
    }
    return undefined;
  }

  #textOf(look: Look): string | undefined {
    const { line } = look;
    if (this.#triggers) return this.#triggers.taken(look);
    return this.#locators.some((locator) => locator.mayMatch(line)) ? line.rest(line.start) : undefined;
  }

  count(look: Look): number {
    const text = this.#textOf(look);
    if (text === undefined) return 0;
    return this.#locators.length === 0 ? 1 : this.#locators.reduce((sum, locator) => sum + locator.count(text), 0);
  }

  reset(): void {
    this.#triggers?.reset();
  }
}

/** Reads a number of complete lines from the mark on; 0: up to the next empty line. */
export class LinesFinder implements TextFinder {
  readonly #first: NamedFinder;
  readonly #lines: number;
  readonly #text: TextAccumulator;
  /** Lines still to read; 0: inactive. */
  #toCome = 0;

  constructor(first: NamedFinder, lines: number, cut: () => void) {
    this.#first = first;
    this.#lines = lines;
    this.#text = new TextAccumulator(cut);
  }

  get literals(): readonly Literal[] {
    return this.#first.literals;
  }

  get everyLine(): boolean {
    return this.#first.everyLine || this.#toCome > 0;
  }

  get due(): number {
    return this.#first.due;
  }

  find(look: Look): string | undefined {
    if (this.#toCome > 0) return this.#next(look.line.rest(look.line.start));
    const spot = this.#first.spot(look);
    if (!spot) return undefined;
    this.#text.add(`${spot.text}\n`);
    this.#toCome = this.#lines === 0 ? Number.POSITIVE_INFINITY : this.#lines - 1;
    return this.#toCome === 0 ? this.#text.take() : undefined;
  }

  #next(text: string): string | undefined {
    const isOver = this.#lines === 0 && text.trim() === "";
    if (!isOver) this.#text.add(`${text}\n`);
    this.#toCome = isOver ? 0 : this.#toCome - 1;
    return this.#toCome === 0 ? this.#text.take() : undefined;
  }

  /** The text collected up to the end of the input. */
  rest(): string | undefined {
    if (this.#toCome === 0) return undefined;
    this.#toCome = 0;
    return this.#text.take();
  }

  count(look: Look): number {
    return this.find(look) === undefined ? 0 : 1;
  }

  reset(): void {
    this.#toCome = 0;
    this.#text.take();
    this.#first.reset();
  }
}

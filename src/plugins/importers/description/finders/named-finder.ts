import type { Line } from "../line.ts";
import type { Finder, Look, Spot } from "./finder.ts";
import type { Literal } from "./keyword-search.ts";
import type { Locator } from "./locator.ts";
import { nextSelectedRow, type Seeker } from "../row-mark.ts";
import { TextAccumulator } from "./text-accumulator.ts";
import type { Triggers } from "./triggers.ts";

const never = Number.POSITIVE_INFINITY;
const none: readonly Spot[] = [];

/** Finds texts next to keywords or patterns, in their line or in one that a trigger selects. */
export class NamedFinder implements Finder {
  readonly literals: readonly Literal[];
  readonly everyLine: boolean;
  readonly onlyLiterals: boolean;
  readonly #locators: readonly Locator[];
  readonly #triggers: Triggers | undefined;

  constructor(locators: readonly Locator[], triggers: Triggers | undefined) {
    this.#locators = locators;
    this.#triggers = triggers;
    const seekers: readonly Seeker[] = triggers ? triggers.markers.map(({ marker }) => marker) : locators;
    this.literals = seekers.flatMap((seeker) => seeker.literals);
    this.everyLine = seekers.some((seeker) => seeker.everyLine);
    this.onlyLiterals = !this.everyLine && triggers === undefined;
  }

  nextRow(from: number): number {
    return this.#triggers?.nextRow(from) ?? never;
  }

  spots(look: Look): readonly Spot[] {
    const text = this.#textOf(look);
    if (text === undefined) return none;
    if (this.#locators.length === 0) return [{ text }];
    const [first] = this.#locators;
    return first && this.#locators.length === 1
      ? first.spots(text)
      : this.#locators.flatMap((locator) => locator.spots(text));
  }

  /** The line, if it may have a mark, or the one that a trigger selects. */
  #textOf(look: Look): string | undefined {
    const { line } = look;
    if (this.#triggers) return this.#triggers.taken(look);
    return this.everyLine || this.#hasLiteral(line) ? line.rest(line.start) : undefined;
  }

  #hasLiteral({ block, start, end }: Line): boolean {
    for (const literal of this.literals) if (literal.next(block.text, start) < end) return true;
    return false;
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
export class LinesFinder implements Finder {
  readonly #first: Finder;
  readonly #lines: number;
  readonly #text: TextAccumulator;
  /** Lines still to read; 0: inactive. */
  #toCome = 0;
  readonly spots = oncePerLine((look) => this.#find(look));

  constructor(first: Finder, lines: number, cut: () => void) {
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

  nextRow(from: number): number {
    return nextSelectedRow(this.#first, from);
  }

  #find(look: Look): Spot | undefined {
    if (this.#toCome > 0) return this.#next(look.line.rest(look.line.start));
    const [spot] = this.#first.spots(look);
    if (!spot) return undefined;
    this.#text.add(`${spot.text}\n`);
    this.#toCome = this.#lines === 0 ? never : this.#lines - 1;
    return this.#toCome === 0 ? this.#text.take() : undefined;
  }

  #next(text: string): Spot | undefined {
    const isOver = this.#lines === 0 && text.trim() === "";
    if (!isOver) this.#text.add(`${text}\n`);
    this.#toCome = isOver ? 0 : this.#toCome - 1;
    return this.#toCome === 0 ? this.#text.take() : undefined;
  }

  rest(): Spot | undefined {
    if (this.#toCome === 0) return undefined;
    this.#toCome = 0;
    return this.#text.take();
  }

  count(look: Look): number {
    return this.spots(look).length;
  }

  reset(): void {
    this.#toCome = 0;
    this.#text.take();
    this.#first.reset();
  }
}

/** Caches the result per line: `find` has state that changes with every line. */
export function oncePerLine(find: (look: Look) => Spot | undefined): (look: Look) => readonly Spot[] {
  let [number, found]: [number, readonly Spot[]] = [-1, []];
  return (look) => {
    if (look.line.number === number) return found;
    const spot = find(look);
    [number, found] = [look.line.number, spot ? [spot] : []];
    return found;
  };
}

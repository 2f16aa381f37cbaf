import { InvalidValue } from "../../../../core/values/index.ts";
import type { TextMark } from "../../../../formats/descriptions/index.ts";
import type { Line } from "../line.ts";
import type { Seeker } from "../row-mark.ts";
import { UnfitNumber, type PresentValue } from "../value-reader.ts";

/** A line with access to preceding lines. */
export interface Look {
  readonly line: Line;
  /** The text of the line `lines` before; undefined when it is not stored. */
  before(lines: number): string | undefined;
}

/** A text that may hold a value: what is next to a mark, an entry of a row, or several lines. */
export interface Spot {
  readonly text: string;
  /** Text that ends the value. */
  readonly terminator?: string;
  /** The mark next to the text. */
  readonly mark?: TextMark;
  /** The text is the value as a whole: a group of the mark's pattern, or characters of a row. */
  readonly isWhole?: true;
  /** The text consists of full lines; `cut`: its end is missing, `open`: the end of its block is. */
  readonly lines?: "complete" | "cut" | "open";
}

/** Finds the texts of a value in lines. Receives every line of interest in order, possibly more than once. */
export interface Finder extends Seeker {
  /** The texts in which the value may be, in order of precedence. */
  spots(look: Look): readonly Spot[];
  /** Number of marks in the line. */
  count(look: Look): number;
  /** Ends the input or its set; returns the text of several lines that was still open. */
  rest?(): Spot | undefined;
  /** Resets the state for a new run. */
  reset(): void;
}

export type FinderResult = PresentValue | InvalidValue | undefined;

/** Reads the values of one location in the texts of its finder. */
export interface SpotReader {
  /** True: the first text decides. False: the search goes on until a text has a value. */
  readonly onlyFirst: boolean;
  /** undefined: no value. InvalidValue: a mark without a valid value, to be reported. */
  read(spot: Spot, line: number): FinderResult;
}

/** One location of a single value: where it is searched, and how its text is read. */
export interface Source {
  readonly finder: Finder;
  readonly reader: SpotReader;
}

/** The first valid value of several locations in a line; else the first invalid one. */
export function valueIn(sources: readonly Source[], look: Look): FinderResult {
  let misfit: InvalidValue | undefined;
  for (const { finder, reader } of sources) {
    for (const spot of finder.spots(look)) {
      const value = reader.read(spot, look.line.number);
      if (value !== undefined && !(value instanceof InvalidValue)) return value;
      misfit ??= value;
      if (reader.onlyFirst) break;
    }
  }
  return misfit;
}

/** The value of several lines that ends with the input or its set. */
export function valueAtEnd(sources: readonly Source[], line: number): FinderResult {
  let misfit: InvalidValue | undefined;
  for (const { finder, reader } of sources) {
    const spot = finder.rest?.();
    const value = spot && reader.read(spot, line);
    if (value !== undefined && !(value instanceof InvalidValue)) return value;
    misfit ??= value;
  }
  return misfit;
}

/** True when the line has the mark of a location. */
export function hasMark(sources: readonly Source[], look: Look): boolean {
  return sources.some(({ finder }) => finder.spots(look).length > 0);
}

/** True when the line has a value for the location, even one that cannot be stored. */
export function hasValue(sources: readonly Source[], look: Look): boolean {
  const value = valueIn(sources, look);
  return value !== undefined && (!(value instanceof InvalidValue) || value instanceof UnfitNumber);
}

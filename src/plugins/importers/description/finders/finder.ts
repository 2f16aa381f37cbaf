import { isFailure } from "../../../../core/failures/index.ts";
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
  /** The mark is an occurrence after the first one in its line: `assigned` by `=` or `:`, `inside` a longer word. */
  readonly again?: "assigned" | "inside" | "mentioned";
  /** The text of the next match of the mark's pattern in the line. */
  readonly next?: () => Spot | undefined;
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
  /** True: any text is a value, even one that only mentions the mark. */
  readonly isText: boolean;
  /** undefined: no value. InvalidValue: a mark without a valid value, to be reported. */
  read(spot: Spot, line: number): FinderResult;
  /** Why the value of the text, which was read last, may be another one. */
  doubt?(spot: Spot): string | undefined;
}

/** One location of a single value: where it is searched, and how its text is read. */
export interface Source {
  readonly finder: Finder;
  readonly reader: SpotReader;
}

/** Receives another value that a location has in the same line, and the doubt of its reader; undefined: none. */
export interface OtherValues {
  second: PresentValue | undefined;
  doubt: string | undefined;
}

/** The first valid value of several locations in a line; else the first invalid one. */
export function valueIn(sources: readonly Source[], look: Look, found?: OtherValues): FinderResult {
  let misfit: InvalidValue | undefined;
  for (const { finder, reader } of sources) {
    const spots = finder.spots(look);
    for (let at = 0; at < spots.length; at++) {
      const value = reader.read(spots[at] as Spot, look.line.number);
      if (isValid(value)) {
        if (found) {
          found.doubt = reader.doubt?.(spots[at] as Spot);
          found.second = anotherValue(spots, at, reader, value, look.line.number);
        }
        return value;
      }
      misfit ??= value;
      if (reader.onlyFirst) break;
    }
  }
  return misfit;
}

function isValid(value: FinderResult): value is PresentValue {
  return value !== undefined && !(value instanceof InvalidValue);
}

/** Another value after the one that counts: of a later mark in the line, or of the next match of a pattern. */
function anotherValue(
  spots: readonly Spot[],
  taken: number,
  reader: SpotReader,
  first: PresentValue,
  line: number,
): PresentValue | undefined {
  const next = spots[taken]?.next?.();
  const later = next ? [next] : spots.slice(taken + 1);
  for (const spot of later) {
    if (spot.again === "inside" || (spot.again === "mentioned" && reader.isText)) continue;
    const value = readQuietly(reader, spot, line);
    if (isValid(value) && !Object.is(value, first)) return value;
  }
  return undefined;
}

/** What does not count cannot fail the import. */
function readQuietly(reader: SpotReader, spot: Spot, line: number): FinderResult {
  try {
    return reader.read(spot, line);
  } catch (error) {
    if (isFailure(error)) return undefined;
    throw error;
  }
}

/** The value of several lines that ends with the input or its set. */
export function valueAtEnd(sources: readonly Source[], line: number): FinderResult {
  let misfit: InvalidValue | undefined;
  for (const { finder, reader } of sources) {
    const spot = finder.rest?.();
    const value = spot && reader.read(spot, line);
    if (isValid(value)) return value;
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
  return isValid(value) || value instanceof UnfitNumber;
}

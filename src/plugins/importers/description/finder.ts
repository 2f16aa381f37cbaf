import { InvalidValue } from "../../../core/values/index.ts";
import { UnfitNumber, type PresentValue, type ValueReader } from "./value-reader.ts";
import type { Line } from "./line.ts";
import type { Seeker } from "./row-mark.ts";

export type FinderResult = PresentValue | InvalidValue | undefined;

/**
 * Finds the single value of a variable in a line. Receives every line of interest in order, possibly more than once.
 */
export interface Finder extends Seeker {
  readonly reader: ValueReader;
  /** undefined: no match in the line. InvalidValue: a match without a valid value; never for texts. */
  find(line: Line): FinderResult;
  /** Number of matches in the line, with or without a valid value. */
  count?(line: Line): number;
  /** Ends the input or its set; returns the multi-line value that was still open. */
  finish?(): FinderResult;
}

/** True when the line has a value for the finder's variable, even one that cannot be stored. */
export function hasValue(finder: Finder, line: Line): boolean {
  const value = finder.find(line);
  return value !== undefined && (!(value instanceof InvalidValue) || value instanceof UnfitNumber);
}

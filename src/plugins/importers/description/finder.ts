import type { InvalidValue } from "../../../core/values/invalid-value.ts";
import type { PresentValue, ValueReader } from "./value-reader.ts";
import type { Line } from "./line.ts";
import type { Seeker } from "./row-mark.ts";

export type FinderResult = PresentValue | InvalidValue | undefined;

/**
 * Finds the single content of a variable in a line; every line that is worth looking at is shown to it once or more, in
 * order.
 */
export interface Finder extends Seeker {
  readonly reader: ValueReader;
  /** undefined: it does not stand in the line. A misfit: it does, but what is there is no content; no texts. */
  find(line: Line): FinderResult;
  /** How often what it looks for stands in the line, whatever stands there besides. */
  count?(line: Line): number;
  /** The input, or its set, is over: the content that was still being gathered. */
  finish?(): FinderResult;
}

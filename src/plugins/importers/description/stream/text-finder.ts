import type { Line } from "../line.ts";
import type { Seeker } from "../row-mark.ts";

/** A line with access to preceding lines. */
export interface Look {
  readonly line: Line;
  /** The text of the line `lines` before; undefined when it is not stored. */
  before(lines: number): string | undefined;
}

/** Finds the text of a value in lines. */
export interface TextFinder extends Seeker {
  /** The number of the next line to examine; Infinity: none. */
  readonly due: number;
  /** False: the line certainly has no value. Absent: `find` needs every line. */
  mayFind?(line: Line): boolean;
  /** undefined: no value here. "" is an empty value. */
  find(look: Look): string | undefined;
  /** Number of values in the line. */
  count(look: Look): number;
  /** Resets the state for a new run. */
  reset(): void;
}

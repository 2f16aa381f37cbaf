import type { Line } from "../line.ts";
import type { Seeker } from "../row-mark.ts";

/** A line, and the text of lines before it. */
export interface Look {
  readonly line: Line;
  /** The text of the line so many before; undefined when it is not kept. */
  before(lines: number): string | undefined;
}

/** Finds the text of a content in lines. */
export interface TextFinder extends Seeker {
  /** The number of a line that has to be looked at; Infinity: none. */
  readonly due: number;
  /** False: the content does not stand in the line, for certain. Absent: every line has to be shown to `find`. */
  mayFind?(line: Line): boolean;
  /** undefined: the content does not stand here. "" is a content that is empty. */
  find(look: Look): string | undefined;
  /** How often the content stands here. */
  count(look: Look): number;
  /** A new run begins. */
  reset(): void;
}

import { compilePattern, type Pattern } from "../../../../formats/pattern.ts";
import type { Match } from "../../../../formats/input-description.ts";
import type { Line } from "../line.ts";
import { literalsOf, type Literal } from "../literal.ts";
import type { Seeker } from "../row-mark.ts";

/** The text beside a mark. */
export interface Spot {
  readonly text: string;
  /** The content ends before this. */
  readonly terminator?: string;
}

/** A mark in a line, and the text behind it or before it. */
export interface Locator extends Seeker {
  /** False: the mark does not stand in the line, for certain. */
  mayStand(line: Line): boolean;
  find(text: string): Spot | undefined;
  count(text: string): number;
}

/** A keyword found anywhere in a line. */
export function matchLocator({ text: keyword, terminator }: Match, leads: boolean): Locator {
  const literals = literalsOf(keyword, false);
  const ended = terminator ? { terminator } : {};
  return {
    literals,
    everyLine: keyword === "",
    mayStand: (line) => keyword === "" || standsIn(literals, line),
    find: (text) => {
      const at = text.indexOf(keyword);
      return at < 0 ? undefined : { text: leads ? text.slice(0, at) : text.slice(at + keyword.length), ...ended };
    },
    count: (text) => (keyword === "" ? 1 : text.split(keyword).length - 1),
  };
}

/** What a pattern cuts a line into: perfbase takes one of the pieces by their number. */
export function patternLocator(source: string, leads: boolean): Locator {
  const pattern = compilePattern(source);
  const literals = pattern.literal === "" ? [] : literalsOf(pattern.literal, false);
  return {
    literals,
    everyLine: literals.length === 0,
    mayStand: (line) => literals.length === 0 || standsIn(literals, line),
    find: (text) => {
      if (!pattern.test(text)) return undefined;
      const pieces = piecesOf(pattern, text);
      if (pieces.length > 3) return { text: pieces.slice(0, -1).join("") };
      return { text: pieces[leads ? 0 : 1] ?? "" };
    },
    count: (text) => Array.from(pattern.all(text)).length,
  };
}

function standsIn(literals: readonly Literal[], line: Line): boolean {
  return literals.some((literal) => literal.next(line.block.text, line.start) < line.end);
}

/** No more matches are looked at in one line: a pattern may match at every character. */
const mostMatches = 64;

function piecesOf(pattern: Pattern, text: string): string[] {
  const pieces: string[] = [];
  let at = 0;
  let matches = 0;
  for (const { start, end, groups } of pattern.all(text)) {
    if (++matches > mostMatches) break;
    pieces.push(text.slice(at, start), ...groups.map((group) => group ?? ""));
    at = end;
  }
  return [...pieces, text.slice(at)];
}

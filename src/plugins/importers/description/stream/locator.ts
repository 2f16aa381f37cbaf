import { Failure } from "../../../../core/failures/index.ts";
import { compilePattern, type Pattern, type PatternMatch } from "../../../../formats/text/index.ts";
import type { Match } from "../../../../formats/descriptions/index.ts";
import type { Line } from "../line.ts";
import { literalsOf, type Literal } from "../keyword-search.ts";
import type { Seeker } from "../row-mark.ts";

/** The text next to a mark. */
export interface Spot {
  readonly text: string;
  /** Text that ends the value. */
  readonly terminator?: string;
}

/** A mark in a line, with the text after or before it. */
export interface Locator extends Seeker {
  /** False: the line certainly does not have the mark. */
  mayMatch(line: Line): boolean;
  find(text: string): Spot | undefined;
  count(text: string): number;
}

/** A keyword anywhere in a line; `whole`: not inside a longer word. */
export function matchLocator({ text: keyword, terminator }: Match, leads: boolean, whole = false): Locator {
  const literals = literalsOf(keyword, whole);
  const ended = terminator ? { terminator } : {};
  const indexFrom = (text: string, from: number): number =>
    whole ? wordIn(text, keyword, from) : text.indexOf(keyword, from);
  return {
    literals,
    everyLine: keyword === "",
    mayMatch: (line) => keyword === "" || hasLiteral(literals, line),
    find: (text) => {
      const at = indexFrom(text, 0);
      return at < 0 ? undefined : { text: leads ? text.slice(0, at) : text.slice(at + keyword.length), ...ended };
    },
    count: (text) => {
      let count = keyword === "" ? 1 : 0;
      if (keyword !== "")
        for (let at = indexFrom(text, 0); at >= 0; at = indexFrom(text, at + keyword.length)) count += 1;
      return count;
    },
  };
}

const wordLetter = /[\p{L}\p{N}_]/u;

/** The position of the keyword outside of longer words; -1: none. */
function wordIn(text: string, keyword: string, from: number): number {
  const [first = "", last = ""] = [keyword.at(0), keyword.at(-1)];
  for (let at = text.indexOf(keyword, from); at >= 0; at = text.indexOf(keyword, at + 1)) {
    const begins = !wordLetter.test(first) || !wordLetter.test(text.charAt(at - 1));
    if (begins && (!wordLetter.test(last) || !wordLetter.test(text.charAt(at + keyword.length)))) return at;
  }
  return -1;
}

/** Splits a line at a pattern; perfbase selects one of the pieces by its number. */
export function patternLocator(source: string, leads: boolean): Locator {
  const pattern = compilePattern(source);
  const literals = pattern.literal === "" ? [] : literalsOf(pattern.literal, false);
  return {
    literals,
    everyLine: literals.length === 0,
    mayMatch: (line) => literals.length === 0 || hasLiteral(literals, line),
    find: (text) => {
      if (!pattern.test(text)) return undefined;
      const pieces = piecesOf(pattern, text);
      if (pieces.length > 3) return { text: pieces.slice(0, -1).join("") };
      return { text: pieces[leads ? 0 : 1] ?? "" };
    },
    count: (text) => Array.from(matchesIn(pattern, text)).length,
  };
}

function hasLiteral(literals: readonly Literal[], line: Line): boolean {
  return literals.some((literal) => literal.next(line.block.text, line.start) < line.end);
}

/**
 * Maximum total of characters scanned for all matches in one line. Each search is linear, but a pattern with a long
 * lookahead and short matches makes their sum quadratic.
 */
const mostAhead = 1 << 26;

function* matchesIn(pattern: Pattern, text: string): Generator<PatternMatch> {
  let ahead = 0;
  for (const match of pattern.all(text)) {
    ahead += text.length - match.start;
    if (ahead > mostAhead) {
      throw new Failure("pattern-error", {
        pattern: pattern.source.slice(0, 80),
        problem: "it matches too often in one line",
      });
    }
    yield match;
  }
}

function piecesOf(pattern: Pattern, text: string): string[] {
  const pieces: string[] = [];
  let at = 0;
  for (const { start, end, groups } of matchesIn(pattern, text)) {
    pieces.push(text.slice(at, start), ...groups.map((group) => group ?? ""));
    at = end;
  }
  return [...pieces, text.slice(at)];
}

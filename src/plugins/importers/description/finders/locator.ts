import { Failure } from "../../../../core/failures/index.ts";
import type { Variable } from "../../../../core/variables/index.ts";
import { compilePattern, type Pattern, type PatternMatch } from "../../../../formats/text/index.ts";
import type { Cut, Match, TextMark } from "../../../../formats/descriptions/index.ts";
import type { Spot } from "./finder.ts";
import { literalsOf } from "./keyword-search.ts";
import type { Seeker } from "../row-mark.ts";
import { uncapturedUnit } from "../values/unit-words.ts";

/** A mark in a line, with the texts after or before it. */
export interface Locator extends Seeker {
  /** The texts next to the mark in a line that may have it. */
  spots(text: string): readonly Spot[];
  count(text: string): number;
}

/** Maximum occurrences of one keyword tried per line; avoids quadratic time. */
const mostTries = 64;

/** On which side of the mark the value is, and what is removed between them. */
export interface Side {
  /** The value precedes the mark. */
  readonly leads: boolean;
  /** Removes the characters between the mark and the value. */
  strip(text: string): string;
}

/** The index of a pattern's group that is named as the variable; undefined: there is none. */
export function groupFor({ names }: Pattern, variable: string): number | undefined {
  const name = variable.toLowerCase();
  for (const [group, at] of names) if (group.toLowerCase() === name) return at;
  return undefined;
}

/** What a group of a match captures, with the unit after a number unless the location changes the text. */
export function capturedText(
  text: string,
  { groups, groupEnds }: PatternMatch,
  group: number,
  { maps = [], filters = [], length }: Cut,
  variable: Variable,
): string {
  const captured = groups[group] ?? "";
  const isShaped = maps.length + filters.length > 0 || length !== undefined;
  return isShaped ? captured : captured + uncapturedUnit(captured, text.slice(groupEnds[group]), variable);
}

/** Removes the characters between a mark and its value: by default blanks, `=`, `:` and `|`. */
export function stripper(leads: boolean, blanks: string | undefined): (text: string) => string {
  const characters =
    blanks === undefined ? String.raw`[\s=:|]+` : `[\\s${blanks.replaceAll(/[\\\]^-]/g, String.raw`\$&`)}]+`;
  const between = new RegExp(`^${characters}`);
  if (!leads) return (text) => text.replace(between, "");
  // By characters; a pattern would take quadratic time.
  return (text) => {
    let end = text.length;
    while (end > 0 && between.test(text.charAt(end - 1))) end -= 1;
    return text.slice(0, end);
  };
}

/** A keyword anywhere in a line; `whole`: not inside a longer word. */
export function matchLocator({ text: keyword, terminator }: Match, side: Side, whole = false): Locator {
  const literals = literalsOf(keyword, whole);
  const mark: TextMark = { kind: "keyword", text: keyword };
  const indexFrom = (text: string, from: number): number =>
    whole ? wordIn(text, keyword, from) : text.indexOf(keyword, from);
  return {
    literals,
    everyLine: keyword === "",
    spots: (text) => {
      const spots: Spot[] = [];
      for (
        let at = indexFrom(text, 0);
        at >= 0 && spots.length < mostTries;
        at = indexFrom(text, at + keyword.length)
      ) {
        const part = side.strip(side.leads ? text.slice(0, at) : text.slice(at + keyword.length));
        const spot: Spot = terminator ? { text: part, mark, terminator } : { text: part, mark };
        spots.push(spots.length === 0 ? spot : { ...spot, again: occurrenceAt(text, keyword, at) });
        if (keyword === "") break;
      }
      return spots;
    },
    count: (text) => {
      let count = keyword === "" ? 1 : 0;
      if (keyword !== "")
        for (let at = indexFrom(text, 0); at >= 0; at = indexFrom(text, at + keyword.length)) count += 1;
      return count;
    },
  };
}

/** How a keyword occurs again in a line: whether it is a word, and a value is assigned to it. */
function occurrenceAt(text: string, keyword: string, at: number): NonNullable<Spot["again"]> {
  if (wordIn(text.slice(Math.max(0, at - 1), at + keyword.length + 1), keyword, 0) < 0) return "inside";
  return /[=:]\s*$/.test(keyword) || /^\s*[=:]/.test(text.slice(at + keyword.length)) ? "assigned" : "mentioned";
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

/** The match after the first one in a line. */
export function secondMatch(pattern: Pattern, text: string): PatternMatch | undefined {
  const matches = pattern.all(text);
  matches.next();
  return matches.next().value ?? undefined;
}

/** A pattern in a line; `capture` selects the text of the value. */
export function patternLocator(source: string, capture: (pattern: Pattern, text: string) => Spot | undefined): Locator {
  const pattern = compilePattern(source);
  const literals = pattern.literal === "" ? [] : literalsOf(pattern.literal, false);
  return {
    literals,
    everyLine: literals.length === 0,
    spots: (text) => {
      const spot = capture(pattern, text);
      return spot ? [spot] : [];
    },
    count: (text) => Array.from(matchesIn(pattern, text)).length,
  };
}

/**
 * Maximum total of characters scanned for all matches in one line. Each search is linear, but a pattern with a long
 * lookahead and short matches makes their sum quadratic.
 */
const mostAhead = 1 << 26;

/** All matches in a line. Fails with `pattern-error` when they would take too long. */
export function* matchesIn(pattern: Pattern, text: string): Generator<PatternMatch> {
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

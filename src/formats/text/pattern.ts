import { RE2JS, RE2JSException } from "re2js";
import { Failure } from "../../core/errors.ts";
import { requiredLiteral } from "./pattern-literal.ts";

/** What a pattern found: offsets into the text, and its groups (undefined: the group took no part). */
export interface PatternMatch {
  readonly start: number;
  readonly end: number;
  readonly groups: readonly (string | undefined)[];
}

/** A regular expression of a user. Time is linear in the text, whatever the pattern. */
export interface Pattern {
  readonly source: string;
  /** A text that every match contains: without it there is no need to look. "" when there is none. */
  readonly literal: string;
  test(text: string): boolean;
  search(text: string): PatternMatch | undefined;
  /** What is found from left to right; matches do not overlap, and empty ones are passed over. */
  all(text: string): Generator<PatternMatch>;
}

/** Where a pattern was written, for errors: `column` is where it begins, 1-based. */
export interface PatternPlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

const longestPattern = 1000;
const largestProgram = 20_000;

/** Compiles RE2 syntax (no look-around, no back-references); fails with `pattern-error`, or `description-error` when a place is given. */
export function compilePattern(source: string, place?: PatternPlace): Pattern {
  if (source.length > longestPattern)
    throw patternError(source, `it is longer than ${longestPattern} characters`, place);
  const compiled = compile(source, place);
  if (compiled.programSize() > largestProgram) throw patternError(source, "its repetitions make it too large", place);
  const literal = requiredLiteral(source);
  const possible = (text: string): boolean => literal === "" || text.includes(literal);
  return {
    source,
    literal,
    test: (text) => possible(text) && compiled.test(text),
    search: (text) => (possible(text) ? search(compiled, text) : undefined),
    *all(text) {
      if (possible(text)) yield* matches(compiled, text);
    },
  };
}

function compile(source: string, place: PatternPlace | undefined): RE2JS {
  try {
    return RE2JS.compile(source);
  } catch (error) {
    if (error instanceof RE2JSException) throw patternError(source, error.message.replaceAll(/\s+/g, " "), place);
    throw error;
  }
}

function search(compiled: RE2JS, text: string): PatternMatch | undefined {
  if (!compiled.test(text)) return undefined;
  const matcher = compiled.matcher(text);
  return matcher.find() ? found(matcher, compiled.groupCount()) : undefined;
}

function* matches(compiled: RE2JS, text: string): Generator<PatternMatch> {
  if (!compiled.test(text)) return;
  const matcher = compiled.matcher(text);
  while (matcher.find()) if (matcher.end() > matcher.start()) yield found(matcher, compiled.groupCount());
}

function found(matcher: ReturnType<RE2JS["matcher"]>, count: number): PatternMatch {
  const groups = Array.from({ length: count }, (_, at) => matcher.group(at + 1) ?? undefined);
  return { start: matcher.start(), end: matcher.end(), groups };
}

function patternError(source: string, problem: string, place: PatternPlace | undefined): Failure {
  const shown = source.slice(0, 80);
  if (!place) return new Failure("pattern-error", { pattern: shown, problem });
  const advice = "patterns are RE2's: no look-around, no back-references";
  return new Failure("description-error", {
    ...place,
    problem: `bad regular expression '${shown}': ${problem}`,
    word: shown,
    advice,
  });
}

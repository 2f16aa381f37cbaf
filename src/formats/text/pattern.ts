import { Failure } from "../../core/failures/index.ts";
import { RE2JS, RE2JSException } from "re2js";

/** A match: offsets into the text, and the groups (undefined for a group that did not participate). */
export interface PatternMatch {
  readonly start: number;
  readonly end: number;
  readonly groups: readonly (string | undefined)[];
  /** The offsets after the groups; -1 for a group that did not participate. */
  readonly groupEnds: readonly number[];
}

/** A user's regular expression. Matching time is linear in the text for every pattern. */
export interface Pattern {
  readonly source: string;
  /** A literal that every match contains, to skip texts without it; "" if none is known. */
  readonly literal: string;
  /** The index in `groups` of each named group `(?<name>...)`, in the order of the pattern. */
  readonly names: ReadonlyMap<string, number>;
  test(text: string): boolean;
  search(text: string): PatternMatch | undefined;
  /** Non-overlapping, non-empty matches from left to right. */
  all(text: string): Generator<PatternMatch>;
}

/** Source location of a pattern, for errors; `line` and `column` are 1-based. */
export interface PatternLocation {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Maximum number of characters of a pattern. */
export const longestPattern = 1000;
const largestProgram = 20_000;

/**
 * Compiles RE2 syntax (no look-around, no back-references). Fails with `pattern-error`, or with `description-error` if
 * a location is given.
 */
export function compilePattern(source: string, location?: PatternLocation): Pattern {
  if (source.length > longestPattern)
    throw patternError(source, `it is longer than ${longestPattern} characters`, location);
  const compiled = compile(source, location);
  if (compiled.programSize() > largestProgram)
    throw patternError(source, "its repetitions make it too large", location);
  const literal = requiredLiteral(source);
  const possible = (text: string): boolean => literal === "" || text.includes(literal);
  return {
    source,
    literal,
    names: groupNames(compiled),
    test: (text) => possible(text) && compiled.test(text),
    search: (text) => (possible(text) ? search(compiled, text) : undefined),
    *all(text) {
      if (possible(text)) yield* matches(compiled, text);
    },
  };
}

function groupNames(compiled: RE2JS): ReadonlyMap<string, number> {
  const found = Object.entries(compiled.namedGroups()).map(([name, number]): [string, number] => [name, number - 1]);
  return new Map(found.sort(([, one], [, other]) => one - other));
}

function compile(source: string, location: PatternLocation | undefined): RE2JS {
  try {
    return RE2JS.compile(source);
  } catch (error) {
    if (error instanceof RE2JSException) throw patternError(source, error.message.replaceAll(/\s+/g, " "), location);
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
  const groupEnds = Array.from({ length: count }, (_, at) => matcher.end(at + 1));
  return { start: matcher.start(), end: matcher.end(), groups, groupEnds };
}

function patternError(source: string, problem: string, location: PatternLocation | undefined): Failure {
  const excerpt = source.slice(0, 80);
  if (!location) return new Failure("pattern-error", { pattern: excerpt, problem });
  const advice = "patterns are RE2's: no look-around, no back-references";
  return new Failure("description-error", {
    ...location,
    problem: `invalid regular expression '${excerpt}': ${problem}`,
    word: excerpt,
    advice,
  });
}

/**
 * The longest literal that every match of an RE2 pattern contains; "" if none is certain. Conservative: top-level
 * alternatives and flags give "", groups, classes and repeated characters are ignored.
 */
export function requiredLiteral(source: string): string {
  let [best, run] = ["", ""];
  const close = (): void => {
    if (run.length > best.length) best = run;
    run = "";
  };
  for (let at = 0; at < source.length;) {
    const step = nextPart(source, at);
    if (step.kind === "unknown") return "";
    const optional = "?*{".includes(source.charAt(step.end) || "!");
    if (step.kind === "literal" && !optional) run += step.text;
    if (step.kind !== "literal" || optional || source.charAt(step.end) === "+") close();
    at = afterRepetition(source, step.end);
  }
  close();
  return best;
}

interface Part {
  readonly kind: "literal" | "other" | "unknown";
  readonly text: string;
  readonly end: number;
}

function nextPart(source: string, at: number): Part {
  const character = String.fromCodePoint(source.codePointAt(at) ?? 0);
  const end = at + character.length;
  if (character === "|" || character === ")") return { kind: "unknown", text: "", end };
  if (character === "\\") return escapePart(source, at);
  if (character === "[") return { kind: "other", text: "", end: classEnd(source, at) };
  if (character === "(") return groupPart(source, at);
  if (".^$".includes(character)) return { kind: "other", text: "", end };
  return { kind: "literal", text: character, end };
}

/**
 * A backslash before punctuation is an escape of that character; before letters and digits its meaning is unknown.
 */
function escapePart(source: string, at: number): Part {
  const next = source.charAt(at + 1);
  if (/[dDwWsSbB]/.test(next)) return { kind: "other", text: "", end: at + 2 };
  if (next === "" || /[\p{L}\p{N}]/u.test(next)) return { kind: "unknown", text: "", end: at + 2 };
  return { kind: "literal", text: next, end: at + 2 };
}

function groupPart(source: string, at: number): Part {
  const named = /^\(\?P?<\w+>/.exec(source.slice(at, at + 100))?.[0].length ?? 0;
  if (source.charAt(at + 1) === "?" && named === 0) return { kind: "unknown", text: "", end: at + 1 };
  let depth = Math.min(named, 1);
  for (let i = at + named; i < source.length; i++) {
    const character = source.charAt(i);
    if (character === "\\") i += 1;
    else if (character === "[") i = classEnd(source, i) - 1;
    else if (character === "(") depth += 1;
    else if (character === ")" && --depth === 0)
      return /\\Q|\(\?(?!P?<\w+>)/.test(source.slice(at, i))
        ? { kind: "unknown", text: "", end: i + 1 }
        : { kind: "other", text: "", end: i + 1 };
  }
  return { kind: "unknown", text: "", end: source.length };
}

/** The offset after the `]` that closes the class at `at`. A leading `]` is a member. */
function classEnd(source: string, at: number): number {
  let i = at + 1;
  if (source.charAt(i) === "^") i += 1;
  if (source.charAt(i) === "]") i += 1;
  for (; i < source.length && source.charAt(i) !== "]"; i++) {
    if (source.charAt(i) === "\\") i += 1;
    else if (source.startsWith("[:", i)) i = Math.max(i, source.indexOf(":]", i) + 1);
  }
  return i + 1;
}

function afterRepetition(source: string, at: number): number {
  const match = /^(?:[?*+]|\{[^}]*\})+/.exec(source.slice(at));
  return at + (match?.[0].length ?? 0);
}

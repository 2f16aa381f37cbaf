import type { NamedLocation } from "../../../formats/input-description.ts";
import { compilePattern, type Pattern } from "../../../formats/pattern.ts";
import { hasUnits } from "../../../core/variable.ts";
import { Misfit } from "../../../core/misfit.ts";
import type { Content, ContentReader } from "./content.ts";
import type { Line } from "./line.ts";
import { literalsOf, type Literal } from "./literal.ts";
import type { Seeker } from "./row-mark.ts";

/** Occurrences of one keyword that are tried in one line: a line of nothing but keywords must not cost the square of its length. */
const mostTries = 64;

/** Finds the single content of a variable in a line. */
export interface Finder extends Seeker {
  readonly reader: ContentReader;
  /** undefined: it does not stand in the line. A misfit: it does, but what is there is no content; numbers only. */
  find(line: Line): Content | Misfit | undefined;
}

/** A keyword in one of its spellings. */
interface Word {
  readonly literal: Literal;
  /** Said when no content stands behind it; undefined for texts, of which there is always one. */
  readonly misfit: Misfit | undefined;
}

/** The content behind the variable's name, an alias, or what a pattern matches (its first group, when it has one). */
export function namedFinder(location: NamedLocation, reader: ContentReader): Finder {
  const onlyPatterns = location.patterns.length > 0;
  const keywords = onlyPatterns ? location.aliases : [location.name, ...location.aliases];
  const words = keywords.flatMap((keyword) => wordsOf(keyword, reader));
  const patterns = location.patterns.map((source) => compilePattern(source));
  const needed = patterns.map((pattern) => (pattern.literal === "" ? [] : literalsOf(pattern.literal, false)));
  const between = location.blanks === undefined ? /^[\s=:]+/ : blanksOf(location.blanks);
  return {
    reader,
    literals: [...words.map((word) => word.literal), ...needed.flat()],
    everyLine: needed.some((literals) => literals.length === 0),
    find: (line) => firstContent(behindWord(words, line, reader, between), () => byPattern(patterns, line, reader, between)),
  };
}

function wordsOf(keyword: string, reader: ContentReader): Word[] {
  const misfit = hasUnits(reader.variable.type) ? new Misfit(`'${keyword}' stands here but no ${reader.typeName} behind it`) : undefined;
  return literalsOf(keyword, true).map((literal) => ({ literal, misfit }));
}

type Found = Content | Misfit | undefined;

function firstContent(found: Found, next: () => Found): Found {
  if (found !== undefined && !(found instanceof Misfit)) return found;
  return next() ?? found;
}

function blanksOf(blanks: string): RegExp {
  return new RegExp(`^[\\s${blanks.replaceAll(/[\\\]^-]/g, "\\$&")}]+`);
}

function behindWord(words: readonly Word[], line: Line, reader: ContentReader, between: RegExp): Found {
  let misfit: Misfit | undefined;
  for (const word of words) {
    const { literal } = word;
    let tries = 0;
    for (const at of literal.within(line)) {
      if (++tries > mostTries) break;
      const rest = line.rest(at + literal.length).replace(between, "");
      const value = reader.read(rest);
      if (value !== undefined && !(value instanceof Misfit)) return value;
      misfit ??= value ?? (rest === "" ? undefined : word.misfit);
    }
  }
  return misfit;
}

function byPattern(patterns: readonly Pattern[], line: Line, reader: ContentReader, between: RegExp): Found {
  let misfit: Misfit | undefined;
  for (const pattern of patterns) {
    const text = line.rest(line.start);
    const match = pattern.search(text);
    if (!match) continue;
    const content = match.groups.length > 0 ? (match.groups[0] ?? "") : text.slice(match.end).replace(between, "");
    const value = reader.read(content);
    if (value !== undefined && !(value instanceof Misfit)) return value;
    misfit ??= value;
  }
  return misfit;
}

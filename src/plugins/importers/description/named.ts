import type { NamedLocation } from "../../../formats/input-description.ts";
import { compilePattern, type Pattern } from "../../../formats/pattern.ts";
import type { Content, ContentReader } from "./content.ts";
import type { Line } from "./line.ts";
import { literalsOf, type Literal } from "./literal.ts";
import type { Seeker } from "./row-mark.ts";

/** Occurrences of one keyword that are tried in one line: a line of nothing but keywords must not cost the square of its length. */
const mostTries = 64;

/** Finds the single content of a variable in a line. */
export interface Finder extends Seeker {
  readonly reader: ContentReader;
  find(line: Line): Content | undefined;
}

/** The content behind the variable's name, an alias, or what a pattern matches (its first group, when it has one). */
export function namedFinder(location: NamedLocation, reader: ContentReader): Finder {
  const onlyPatterns = location.patterns.length > 0;
  const keywords = onlyPatterns ? location.aliases : [location.name, ...location.aliases];
  const words = keywords.flatMap((keyword) => literalsOf(keyword, true));
  const patterns = location.patterns.map((source) => compilePattern(source));
  const needed = patterns.map((pattern) => (pattern.literal === "" ? [] : literalsOf(pattern.literal, false)));
  const between = location.blanks === undefined ? /^[\s=:]+/ : blanksOf(location.blanks);
  return {
    reader,
    literals: [...words, ...needed.flat()],
    everyLine: needed.some((literals) => literals.length === 0),
    find: (line) => behindWord(words, line, reader, between) ?? byPattern(patterns, line, reader, between),
  };
}

function blanksOf(blanks: string): RegExp {
  return new RegExp(`^[\\s${blanks.replaceAll(/[\\\]^-]/g, "\\$&")}]+`);
}

function behindWord(words: readonly Literal[], line: Line, reader: ContentReader, between: RegExp): Content | undefined {
  for (const word of words) {
    let tries = 0;
    for (const at of word.within(line)) {
      if (++tries > mostTries) break;
      const value = reader.read(line.rest(at + word.length).replace(between, ""));
      if (value !== undefined) return value;
    }
  }
  return undefined;
}

function byPattern(patterns: readonly Pattern[], line: Line, reader: ContentReader, between: RegExp): Content | undefined {
  for (const pattern of patterns) {
    const text = line.rest(line.start);
    const match = pattern.search(text);
    if (!match) continue;
    const content = match.groups.length > 0 ? (match.groups[0] ?? "") : text.slice(match.end).replace(between, "");
    const value = reader.read(content);
    if (value !== undefined) return value;
  }
  return undefined;
}

import type { ExplicitLocation, NamedLocation } from "../../../../formats/descriptions/input/input-description.ts";
import { compilePattern } from "../../../../formats/text/pattern.ts";
import { formatValue } from "../../../../core/values/value.ts";
import { readFloat } from "../../../../core/values/parse-number.ts";
import { InvalidValue } from "../../../../core/values/invalid-value.ts";
import { hasUnits, type Variable } from "../../../../core/variables/variable.ts";
import { entriesOf, occurrence } from "../explicit-finder.ts";
import { markerOf } from "../row-mark.ts";
import { BlockFinder } from "./block-finder.ts";
import { cutSpot } from "./cut-text.ts";
import { matchLocator, patternLocator, type Locator } from "./locator.ts";
import type { TextFinder } from "./text-finder.ts";
import { LinesFinder, NamedFinder } from "./named-finder.ts";
import { Triggers } from "./triggers.ts";

/** Calls `cut` when a multi-line text is too long. undefined: the location has nothing to search for. */
export function namedFinder(location: NamedLocation, variable: Variable, cut: () => void): TextFinder | undefined {
  if (location.block) return new BlockFinder(location.block, cut);
  const { matches = [], aliases, patterns, leads = false } = location;
  const locators = [
    ...matches.map((match) => matchLocator(match, leads)),
    ...aliases.map((text) => matchLocator({ text }, leads, true)),
    ...patterns.map((source) => patternLocator(source, leads)),
  ];
  const triggers = location.triggers && location.triggers.length > 0 ? new Triggers(location.triggers) : undefined;
  if (locators.length === 0 && !triggers) locators.push(...valueLocators(location, variable));
  if (locators.length === 0 && !triggers) return undefined;
  const finder = new NamedFinder(location, locators, triggers);
  return location.lines === undefined ? finder : new LinesFinder(finder, location.lines, cut);
}

/** Valid values and inputs of maps serve as keywords and as values. */
function valueLocators({ maps = [] }: NamedLocation, variable: Variable): Locator[] {
  const valid = (variable.valid ?? []).map((value) => ({
    kind: "keyword" as const,
    text: formatValue(value, variable.type),
  }));
  return [...valid, ...maps.map(({ from }) => from)].map((mark) => {
    if (mark.kind === "keyword") {
      const { text } = mark;
      return {
        ...matchLocator({ text }, false),
        find: (line) => (line.includes(text) ? { text, terminator: "\n" } : undefined),
      };
    }
    const pattern = compilePattern(mark.source);
    return {
      ...patternLocator(mark.source, false),
      find: (line) => {
        const match = pattern.search(line);
        return match && { text: line.slice(match.start, match.end), terminator: "\n" };
      },
    };
  });
}

/** Finds the entry of a row that a number, a keyword or a pattern selects. */
export function explicitFinder(location: ExplicitLocation, variable: Variable): TextFinder {
  const marker = markerOf(location.row);
  return {
    literals: marker.literals,
    everyLine: marker.everyLine,
    due: marker.row ?? Number.POSITIVE_INFINITY,
    find: ({ line }) => (marker.marks(line) ? entryOf(line.rest(line.start), location, variable) : undefined),
    count: ({ line }) => (marker.marks(line) ? 1 : 0),
    reset: () => {},
  };
}

function entryOf(row: string, location: ExplicitLocation, variable: Variable): string | undefined {
  const { position, repetition } = location;
  if (position.kind === "relative") return undefined;
  const at = position.kind === "keyword" ? occurrence(row, position.text, repetition) : 0;
  if (at < 0) return undefined;
  const rest = position.kind === "keyword" ? row.slice(at + position.text.length) : row;
  const wanted = position.kind === "keyword" ? 1 : position.number;
  let seen = 0;
  for (const entry of entriesOf(rest, location.blanks)) {
    if (location.typed && hasUnits(variable.type) === readFloat(entry.text.slice(0, 500)) instanceof InvalidValue)
      continue;
    seen += 1;
    if (seen === wanted) return cutSpot({ text: rest.slice(entry.at) }, location, false);
  }
  return undefined;
}

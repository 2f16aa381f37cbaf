import { isName } from "../../../core/variables/index.ts";
import { compilePattern } from "../../text/index.ts";
import type { InputDescription, InputLocation } from "./input-description.ts";
import type { Origin } from "./location-parts.ts";
import type { PatternGroup } from "./row-locations.ts";

type Groups = { readonly groups: readonly PatternGroup[] };
type GroupProblem = { readonly problem: string; readonly group: PatternGroup };

/**
 * The named groups of a pattern, in its order, with the descriptors `given` for some of them; or the problem, worded
 * for both syntaxes.
 */
export function patternGroups(
  source: string,
  given: readonly PatternGroup[],
  origin: Origin,
): Groups | GroupProblem | string {
  const names = [...compilePattern(source).names.keys()];
  const bad = names.find((name) => !isName(name));
  if (bad !== undefined) return `'${bad}' is not a valid name of a parameter or result`;
  if (names.length === 0) return "the pattern needs named groups (?<name>...), each named as a parameter or result";
  const twice = names.find((name, at) => names.findIndex((each) => same(each, name)) < at);
  if (twice !== undefined) return `two groups are named '${twice}'`;
  for (const [at, group] of given.entries()) {
    if (!names.some((name) => same(name, group.name)))
      return { problem: `the pattern has no group '${group.name}'; it has ${names.join(", ")}`, group };
    if (given.slice(0, at).some((each) => same(each.name, group.name)))
      return { problem: `group '${group.name}' is given twice`, group };
  }
  return {
    groups: names.map((name) => ({ origin, ...given.find((group) => same(group.name, name)), name })),
  };
}

function same(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** The description with a named location for each group of patterns whose matches are not rows. */
export function withSingleGroups(description: InputDescription): InputDescription {
  return { ...description, locations: description.locations.flatMap(singleGroups) };
}

function singleGroups(location: InputLocation): InputLocation[] {
  if (location.kind !== "pattern" || location.rows) return [location];
  const { source, groups, kind: _kind, rows: _rows, origin: _origin, ...effects } = location;
  return groups.map((group) => ({ kind: "named", aliases: [], patterns: [source], ...effects, ...group }));
}

import type { InputDescription, InputLocation } from "./input-description.ts";

/** The description with a named location for each group of patterns whose matches are not rows. */
export function withSingleGroups(description: InputDescription): InputDescription {
  return { ...description, locations: description.locations.flatMap(singleGroups) };
}

function singleGroups(location: InputLocation): InputLocation[] {
  if (location.kind !== "pattern" || location.rows) return [location];
  const { source, groups, kind: _kind, rows: _rows, origin: _origin, ...effects } = location;
  return groups.map((group) => ({ kind: "named", aliases: [], patterns: [source], ...effects, ...group }));
}

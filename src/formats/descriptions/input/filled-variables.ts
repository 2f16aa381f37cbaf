import type { InputLocation } from "./input-description.ts";
import type { Origin } from "./location-parts.ts";

interface NamedOrigin {
  readonly name: string;
  readonly origin: Origin;
}

/** The variables that a location fills, each with its position in the description. */
export function filledVariables(location: InputLocation): readonly NamedOrigin[] {
  switch (location.kind) {
    case "table":
    case "transposed":
      return location.values;
    case "pattern":
      return location.groups;
    case "matrix":
      return [location.across, location.down, location.cell];
    case "split":
      return location.stores.map(({ name }) => ({ name, origin: location.origin }));
    case "separation":
      return [];
    default:
      return [location];
  }
}

import type { Experiment } from "../../../core/experiments/index.ts";
import { numberSyntaxOf } from "../../../core/values/index.ts";
import { findVariable, hasUnits } from "../../../core/variables/index.ts";
import type { Cut, InputDescription, InputLocation } from "../../../formats/descriptions/index.ts";

/**
 * The description with the notation of a language for the numbers whose location gives none. Fixed values, which are
 * not of the input, stay. Without a known language it is unchanged.
 */
export function withLocale(description: InputDescription, locale: string, { variables }: Experiment): InputDescription {
  const syntax = numberSyntaxOf(locale);
  if (syntax === undefined) return description;
  const noted = <T extends Pick<Cut, "decimal" | "thousands"> & { readonly name: string }>(each: T): T => {
    const variable = findVariable(variables, each.name);
    const isGiven = each.decimal !== undefined || each.thousands !== undefined;
    return isGiven || variable === undefined || !hasUnits(variable.type) ? each : { ...each, ...syntax };
  };
  const located = (location: InputLocation): InputLocation => {
    switch (location.kind) {
      case "named":
      case "explicit":
      case "filename":
        return noted(location);
      case "table":
        return { ...location, values: location.values.map(noted) };
      case "split":
        return { ...location, enter: location.enter.map(located), leave: location.leave.map(located) };
      case "separation":
        return location.mark.kind === "named" ? { ...location, mark: noted(location.mark) } : location;
      default:
        return location;
    }
  };
  return { ...description, locations: description.locations.map(located) };
}

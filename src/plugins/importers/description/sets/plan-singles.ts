import type { Failure } from "../../../../core/failures/failure.ts";
import type { Value } from "../../../../core/values/value.ts";
import type { Variable } from "../../../../core/variables/variable.ts";
import type {
  ExplicitLocation,
  FilenameLocation,
  FixedLocation,
  NamedLocation,
} from "../../../../formats/descriptions/input/input-description.ts";
import type { Binding } from "../binding.ts";
import { ValueReader, UnfitNumber, type PresentValue } from "../value-reader.ts";
import { explicitFinder } from "../explicit-finder.ts";
import { filenameReader } from "../filename-reader.ts";
import { extractNumber } from "../extract-number.ts";
import type { Finder } from "../finder.ts";
import { namedFinder } from "./named-finder.ts";

/** A single value that is searched in lines. */
export type Sought = NamedLocation | ExplicitLocation;

export function finderOf(binding: Binding, location: Sought, reader: ValueReader): Finder {
  if (location.kind === "explicit") return explicitFinder(location, reader);
  checkNamed(binding, location, reader.variable);
  return namedFinder(location, reader);
}

/** Fails with `description-error` when the variable's type does not allow the location. */
function checkNamed(binding: Binding, location: NamedLocation, { name, type }: Variable): void {
  const { mode, lines, block, leads } = location;
  const [isNumber, isText] = [type === "integer" || type === "float", type === "string" || type === "text"];
  const several = lines !== undefined || block !== undefined;
  const refuse = (problem: string): Failure =>
    binding.error(location.origin, `'${name}' is of type ${type}, ${problem}`);
  if ((mode === "count" || mode === "accumulate") && !isNumber) throw refuse(`only numbers can ${mode}`);
  if (mode === "boolean" && type !== "boolean") throw refuse("mode boolean needs a boolean");
  if (several && !isText) throw refuse("values of several lines need a string or text");
  if (several && (leads || mode !== undefined))
    throw binding.error(
      location.origin,
      `a value of several lines cannot have ${leads ? "its mark after it" : `mode ${mode}`}`,
    );
  if (lines !== undefined && block)
    throw binding.error(location.origin, "lines and the marks of a block exclude each other");
}

/** null when the path has no value or, with a notice, none of the variable's type. */
export function filenameValue(
  binding: Binding,
  location: FilenameLocation,
  variable: Variable,
  path: string,
  report: (notice: string) => void,
): Value {
  const { filters: _filters, maps: _maps, length: _length, ...cut } = location;
  const reader = binding.reader(variable, cut, location.origin);
  const text = filenameReader(location, variable)(path);
  if (text === undefined) return null;
  const value = reader.readField(
    variable.type === "integer" || variable.type === "float" ? (extractNumber(text) ?? text) : text,
  );
  if (value instanceof UnfitNumber) throw value.at("the name of the input");
  if (value !== undefined) return value;
  report(`'${text.slice(0, 80)}' in the name of the input is no ${reader.typeName} for '${variable.name}'`);
  return null;
}

export function fixedValue(binding: Binding, location: FixedLocation, variable: Variable): PresentValue {
  const value = new ValueReader(variable, {}).readComplete(location.value);
  if (value !== undefined) return value;
  throw binding.error(
    location.origin,
    `'${location.value.slice(0, 80)}' is no value for '${variable.name}' (${variable.type})`,
  );
}

import { Failure } from "../../../../core/failures/index.ts";
import { InvalidValue, type Value } from "../../../../core/values/index.ts";
import type { Variable } from "../../../../core/variables/index.ts";
import {
  filledVariables,
  type FilenameLocation,
  type InputDescription,
  type InputLocation,
  type NamedLocation,
  type Origin,
} from "../../../../formats/descriptions/index.ts";
import type { Binding } from "../binding.ts";
import { filenameReader } from "../filename-reader.ts";
import { UnfitNumber, type ValueReader } from "../value-reader.ts";
import { unsupportedFeature } from "./unsupported-fields.ts";

/** Fails with `description-error` at the first feature that the rules `sets` do not have. */
export function refuseUnsupported({ file, locations }: InputDescription): void {
  for (const location of locations) {
    const columns = location.kind === "table" ? location.values : [];
    const marks = location.kind === "separation" && location.mark.kind === "named" ? [location.mark] : [];
    for (const each of [location, ...marks, ...columns]) {
      const feature = unsupportedFeature(each);
      if (feature === undefined) continue;
      const { line, column } = each.origin;
      const problem = `${feature} is not supported by the rules 'sets'`;
      const advice = "begin the description with RULES stream";
      throw new Failure("description-error", { file, line, column, problem, advice });
    }
  }
}

/** Fails with `description-error` when the variable's type does not allow the location. */
export function checkNamed(binding: Binding, location: NamedLocation, { name, type }: Variable): void {
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
  location: FilenameLocation,
  reader: ValueReader,
  path: string,
  report: (notice: string) => unknown,
): Value {
  const { variable } = reader;
  const text = filenameReader(location, variable)(path);
  if (text === undefined) return null;
  const value = reader.readInside(text);
  if (value instanceof UnfitNumber) throw value.at("the name of the input");
  if (value !== undefined && !(value instanceof InvalidValue)) return value;
  if (value) report(`in the name of the input, ${value.problem}, for '${variable.name}'`);
  else report(`'${text.slice(0, 80)}' in the name of the input is no ${reader.typeName} for '${variable.name}'`);
  return null;
}

/** Kinds of locations whose variables have a value in each row. */
const tableKinds: readonly InputLocation["kind"][] = ["table", "pattern", "transposed", "matrix"];

interface SingleLocation {
  readonly origin: Origin;
  /** Another one may be next to it. */
  readonly isAlternative: boolean;
  /** Tables may have the variable, too. */
  readonly mayShare: boolean;
}

/**
 * Every variable has one location, or several named ones without mode, of which the first value counts; and columns of
 * any number of tables, whose values precede single ones.
 */
export function checkLocations(binding: Binding): void {
  const singles = new Map<Variable, SingleLocation>();
  const columns = new Map<Variable, { readonly origin: Origin; readonly location: InputLocation }>();
  for (const location of binding.locations) {
    if (location.kind === "separation") continue;
    const isAlternative = location.kind === "named" && location.mode === undefined;
    const isTable = tableKinds.includes(location.kind);
    for (const each of filledVariables(location).filter((value) => !binding.isFixed(value))) {
      const variable = binding.variable(each);
      const [single, column] = [singles.get(variable), columns.get(variable)];
      const mayShare = isTable ? single?.mayShare : isAlternative || location.kind === "explicit";
      const clash = isTable
        ? (column?.location === location && column) || (mayShare === false && single)
        : (single && !(single.isAlternative && isAlternative) && single) || (mayShare !== true && column);
      if (clash)
        throw binding.error(each.origin, `'${variable.name}' has a location already, at line ${clash.origin.line}`);
      if (isTable) columns.set(variable, { origin: each.origin, location });
      else singles.set(variable, { origin: each.origin, isAlternative, mayShare: mayShare === true });
    }
  }
}

/** Joins a separating parameter with its own NAMED line; both may define how its value is found. */
export function joinSeparating(locations: readonly InputLocation[]): InputLocation[] {
  const joined = [...locations];
  for (const location of locations) {
    if (location.kind !== "separation" || location.mark.kind !== "named") continue;
    const { mark } = location;
    const at = joined.findIndex((each) => each.kind === "named" && each.name.toLowerCase() === mark.name.toLowerCase());
    const named = joined[at];
    if (named?.kind !== "named") joined.push(mark);
    else
      joined[at] = {
        ...mark,
        ...named,
        aliases: [...named.aliases, ...mark.aliases],
        patterns: [...named.patterns, ...mark.patterns],
      };
  }
  return joined;
}

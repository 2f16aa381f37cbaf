import type { Experiment } from "../../core/experiments/index.ts";
import { Failure } from "../../core/failures/index.ts";
import { conversion, formatUnit, sameDimension, type Conversion, type DataType } from "../../core/values/index.ts";
import { hasUnits, type Variable } from "../../core/variables/index.ts";
import { findVariable } from "../plan/index.ts";

/** A variable of each experiment; rows are joined where the values are equal. */
export interface JoinKey {
  readonly of: readonly [Variable, Variable];
  /** Converts numbers of the second experiment to the unit of the first. */
  readonly factor: Conversion;
}

type Experiments = readonly [Experiment, Experiment];

const texts: readonly DataType[] = ["string", "text", "version"];

/** Keys by name; without names all parameters that both have. Fails with `join-not-possible`, `unit-mismatch`. */
export function joinKeys(names: readonly string[], experiments: Experiments): JoinKey[] {
  const keys = names.length === 0 ? sharedParameters(experiments) : names.map((name) => keyNamed(name, experiments));
  if (keys.length > 0) return keys;
  const [left, right] = experiments.map(({ name }) => name);
  throw new Failure("join-not-possible", {
    problem: `'${left}' and '${right}' have no parameter of the same name and type`,
    advice: "name the keys, as in --on size or --on size=S_msg",
  });
}

function sharedParameters([left, right]: Experiments): JoinKey[] {
  return parametersOf(left).flatMap((own) => {
    const other = parametersOf(right).find(({ name }) => name.toLowerCase() === own.name.toLowerCase());
    return other !== undefined && areComparable(own, other) ? [keyOf(own, other)] : [];
  });
}

function parametersOf({ variables }: Experiment): Variable[] {
  return variables.filter(({ role }) => role === "parameter");
}

/** `size`, or `size=S_msg` if the second experiment has another name for it. */
function keyNamed(word: string, [left, right]: Experiments): JoinKey {
  const [own = "", other = own] = word.split("=");
  const [first, second] = [findVariable(own, left), findVariable(other, right)];
  if (areComparable(first, second)) return keyOf(first, second);
  throw new Failure("join-not-possible", {
    problem:
      `'${first.name}' of '${left.name}' has the type ${kindOf(first)}, ` +
      `'${second.name}' of '${right.name}' ${kindOf(second)}`,
    advice: "name keys whose values can be equal (--on)",
  });
}

function kindOf({ type, unit }: Variable): string {
  return unit === undefined || !hasUnits(type) ? type : `${type} in ${formatUnit(unit)}`;
}

function areComparable(first: Variable, second: Variable): boolean {
  if (hasUnits(first.type) && hasUnits(second.type)) return sameDimension(first.unit, second.unit);
  return first.type === second.type || (texts.includes(first.type) && texts.includes(second.type));
}

function keyOf(first: Variable, second: Variable): JoinKey {
  const factor = hasUnits(first.type) ? conversion(second.unit, first.unit) : { times: 1, over: 1 };
  return { of: [first, second], factor };
}

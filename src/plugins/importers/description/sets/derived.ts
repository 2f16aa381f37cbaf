import { Failure } from "../../../../core/failures/index.ts";
import { evaluate, variablesIn, type Variable } from "../../../../core/variables/index.ts";
import { InvalidValue, formatValue, readValue, type Value } from "../../../../core/values/index.ts";
import type { DerivedLocation } from "../../../../formats/descriptions/index.ts";
import { valueTransform } from "../value-transform.ts";

/** A value computed from others of its row or run. */
export interface Derived {
  readonly variable: Variable;
  /** Index of the column in the batch; -1: once per run. */
  readonly target: number;
  /** The names of its operands in the description. */
  readonly operands: readonly string[];
  /** null when an operand is missing or the result is not a number. Fails with `bad-content`. */
  compute(operand: (name: string) => Value): Value;
}

export function derivedOf(
  location: DerivedLocation,
  variable: Variable,
  target: number,
  typeOf: (name: string) => Variable,
): Derived {
  const { from } = location;
  if ("term" in from) {
    const { term } = from;
    const operands = [...variablesIn(term)];
    return {
      variable,
      target,
      operands,
      compute: (operand) =>
        toVariableType(
          variable,
          evaluate(term, (name) => numberOf(operand(name))),
        ),
    };
  }
  const { parameter, maps } = from;
  const map = valueTransform({ maps });
  const { type } = typeOf(parameter);
  const compute = (operand: (name: string) => Value): Value => {
    const value = operand(parameter);
    return value === null ? null : parseDerived(map(formatValue(value, type)), variable);
  };
  return { variable, target, operands: [parameter], compute };
}

function numberOf(value: Value): number | null {
  const number = value === null ? Number.NaN : Number(value);
  return Number.isNaN(number) ? null : number;
}

/** Integers must be integral up to rounding errors. */
function toVariableType(variable: Variable, value: number | null): Value {
  if (value === null || variable.type === "float") return value;
  if (variable.type === "boolean") return value !== 0;
  return parseDerived(String(Number(value.toPrecision(15))), variable);
}

/** Fails with `bad-content`. */
function parseDerived(text: string, { name, type, size }: Variable): Value {
  const value = readValue(text, type, size);
  if (!(value instanceof InvalidValue)) return value;
  throw new Failure("bad-content", {
    value: text.slice(0, 80),
    variable: name,
    type,
    problem: `${value.problem} (it is derived)`,
  });
}

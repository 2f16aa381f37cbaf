import { evaluate, variablesIn, type Variable } from "../../../core/variables/index.ts";
import { formatValue, type Value } from "../../../core/values/index.ts";
import type { DerivedLocation } from "../../../formats/descriptions/index.ts";
import { valueTransform } from "./value-transform.ts";

/** The current value of a variable. */
type ValueLookup = (variable: Variable) => Value;

/** Converts results to the variable's type. Fails with `bad-content`. */
export interface DerivedRules {
  number(value: number, line: number): Value;
  text(text: string, line: number): Value;
}

interface DerivedParts {
  readonly location: DerivedLocation;
  readonly variable: Variable;
  /** Index of the column in the batch; -1: once per run. */
  readonly target: number;
  /** By lower-case name. */
  readonly operands: ReadonlyMap<string, Variable>;
  readonly rules: DerivedRules;
}

/** A value computed from others of its row or run. */
export class Derived {
  readonly location: DerivedLocation;
  readonly variable: Variable;
  /** Index of the column in the batch; -1: once per run. */
  readonly target: number;
  readonly operands: ReadonlyMap<string, Variable>;
  readonly #rules: DerivedRules;
  readonly #map: (text: string) => string;
  #last: Value = null;

  constructor({ location, variable, target, operands, rules }: DerivedParts) {
    this.location = location;
    this.variable = variable;
    this.target = target;
    this.operands = operands;
    this.#rules = rules;
    this.#map = valueTransform({ maps: "term" in location.from ? [] : location.from.maps });
  }

  /** null when an operand is missing or the result is not a number. Values without a matching map are unchanged. */
  compute(lookup: ValueLookup, line: number): Value {
    const { from } = this.location;
    if ("term" in from) {
      const value = evaluate(from.term, (name) => {
        const variable = this.operands.get(name.toLowerCase());
        return numberOf(variable ? lookup(variable) : null);
      });
      return value === null ? null : this.#rules.number(value, line);
    }
    const variable = this.operands.get(from.parameter.toLowerCase()) ?? this.variable;
    const value = lookup(variable);
    return value === null ? null : this.#rules.text(this.#map(formatValue(value, variable.type)), line);
  }

  /** The value for the row being stored, or for the run, by the location's `retrigger`; null: none. */
  next(lookup: ValueLookup, line: number): Value {
    const { retrigger } = this.location;
    const onlyFirst = retrigger === false || (retrigger === undefined && this.target < 0);
    if (this.#last !== null && onlyFirst) return this.target < 0 ? this.#last : null;
    const value = this.compute(lookup, line);
    if (value === null) return retrigger === "sticky" || this.target < 0 ? this.#last : null;
    this.#last = value;
    return value;
  }

  endRun(): void {
    this.#last = null;
  }
}

export function namesIn({ from }: DerivedLocation): string[] {
  return "term" in from ? [...variablesIn(from.term)] : [from.parameter];
}

function numberOf(value: Value): number | null {
  if (value === null || value === "") return null;
  const number = Number(value);
  return Number.isNaN(number) ? null : number;
}

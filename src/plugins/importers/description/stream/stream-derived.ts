import { evaluate, variablesIn } from "../../../../core/variables/expression.ts";
import { formatValue, type Value } from "../../../../core/values/value.ts";
import { findVariable, type Variable } from "../../../../core/variables/variable.ts";
import type { DerivedLocation } from "../../../../formats/descriptions/input/input-description.ts";
import type { PresentValue } from "../value-reader.ts";
import { shaperOf } from "../value-transform.ts";
import type { TypedText } from "./typed-text.ts";

/** The current value of a variable. */
export type ValueLookup = (variable: Variable) => Value;

/** A value computed from others. */
export class StreamDerived {
  readonly location: DerivedLocation;
  readonly typed: TypedText;
  /** Index of the column in the batch; -1: once per run. */
  readonly target: number;
  /** Its operands. */
  readonly parameters: ReadonlyMap<string, Variable>;
  readonly #compute: (lookup: ValueLookup, line: number) => PresentValue | null;
  #last: PresentValue | null = null;

  /** Requires that the names of the location are variables of the experiment. */
  constructor(location: DerivedLocation, typed: TypedText, target: number, variables: readonly Variable[]) {
    this.location = location;
    this.typed = typed;
    this.target = target;
    const names = namesIn(location);
    this.parameters = new Map(
      names.map((name) => [name.toLowerCase(), findVariable(variables, name) ?? typed.variable]),
    );
    this.#compute = "term" in location.from ? this.#byTerm(location.from.term) : this.#byMap(location.from);
  }

  /** The value for the row being stored, or for the run; null: none. */
  evaluate(lookup: ValueLookup, line: number): PresentValue | null {
    const { retrigger } = this.location;
    const onlyFirst = retrigger === false || (retrigger === undefined && this.target < 0);
    if (this.#last !== null && onlyFirst) return this.target < 0 ? this.#last : null;
    const value = this.#compute(lookup, line);
    if (value === null) return retrigger === "sticky" || this.target < 0 ? this.#last : null;
    this.#last = value;
    return value;
  }

  endRun(): void {
    this.#last = null;
  }

  #byTerm(
    term: Extract<DerivedLocation["from"], { term: unknown }>["term"],
  ): (lookup: ValueLookup, line: number) => PresentValue | null {
    return (lookup, line) => {
      const value = evaluate(term, (name) => {
        const variable = this.parameters.get(name.toLowerCase());
        return numberOf(variable ? lookup(variable) : null);
      });
      return value === null ? null : this.typed.fit(value, line);
    };
  }

  /** Values without a matching map are unchanged. */
  #byMap({
    parameter,
    maps,
  }: Extract<DerivedLocation["from"], { maps: unknown }>): (lookup: ValueLookup, line: number) => PresentValue | null {
    const shape = shaperOf({ maps });
    const variable = this.parameters.get(parameter.toLowerCase()) ?? this.typed.variable;
    return (lookup, line) => {
      const value = lookup(variable);
      return value === null ? null : (this.typed.read(shape(formatValue(value, variable.type)), line) ?? null);
    };
  }
}

export function namesIn({ from }: DerivedLocation): string[] {
  return "term" in from ? variablesIn(from.term) : [from.parameter];
}

function numberOf(value: Value): number | null {
  if (value === null || value === "") return null;
  const number = Number(value);
  return Number.isNaN(number) ? null : number;
}

import { Failure } from "../../../../core/failures/index.ts";
import { formatValue, type Value } from "../../../../core/values/index.ts";
import { evaluate, variablesIn, type Variable, findVariable } from "../../../../core/variables/index.ts";
import type { RowUpdate, DerivedLocation } from "../../../../formats/descriptions/index.ts";
import type { PresentValue } from "../value-reader.ts";
import { valueTransform } from "../value-transform.ts";
import type { Look, TextFinder } from "./text-finder.ts";
import type { TypedText } from "./typed-text.ts";

/** The current value of a variable. */
type ValueLookup = (variable: Variable) => Value;

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
    const shape = valueTransform({ maps });
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

/** Rules of a location for its values. */
export interface SlotRules {
  readonly mode?: "count" | "boolean" | "accumulate" | "abort";
  readonly startsRun?: boolean;
  readonly storesRow?: boolean;
  readonly update?: RowUpdate;
  readonly sticky?: false;
  readonly retrigger?: boolean;
}

/** One single value: where it is searched, and its current value. */
export class StreamSlot {
  readonly variable: Variable;
  /** Index of the column in the batch; -1: once per run. */
  readonly target: number;
  readonly rules: SlotRules;
  /** undefined: the value has another source. */
  readonly finder: TextFinder | undefined;
  readonly typed: TypedText;
  current: PresentValue | null;
  /** True when the value is the same in every run. */
  readonly #constant: boolean;
  #closed = false;

  constructor(typed: TypedText, target: number, rules: SlotRules, finder?: TextFinder, constant?: PresentValue) {
    this.typed = typed;
    this.variable = typed.variable;
    this.target = target;
    this.rules = rules;
    this.finder = finder;
    this.#constant = constant !== undefined;
    this.current = constant ?? this.#initial;
  }

  /** The initial value of counts and flags. */
  get #initial(): PresentValue | null {
    if (this.rules.mode === "count") return this.typed.fit(0, 0);
    return this.rules.mode === "boolean" ? false : null;
  }

  get isOpen(): boolean {
    return !this.#closed;
  }

  /** Records a hit. Closes the slot when only the first hit counts; slots that start runs stay open. */
  hit(): void {
    const { mode, retrigger, startsRun } = this.rules;
    const addsUp = mode === "count" || mode === "accumulate" || startsRun === true;
    const onlyFirst = retrigger === undefined ? this.target < 0 && !addsUp : !retrigger;
    if (onlyFirst) this.#closed = true;
  }

  /** The value in the line; counts and sums are increments. */
  valueIn(look: Look): PresentValue | undefined {
    const { finder, typed, rules } = this;
    const { number } = look.line;
    if (!finder) return undefined;
    if (rules.mode === "count") return finder.count(look) || undefined;
    const text = finder.find(look);
    if (text === undefined) return undefined;
    if (rules.mode === "abort") throw new Failure("import-aborted", { line: number, variable: this.variable.name });
    return rules.mode === "boolean" ? true : typed.read(text, number);
  }

  /** Adds counts and sums to the current value. */
  total(value: PresentValue, line: number): PresentValue {
    if (this.rules.mode !== "count" && this.rules.mode !== "accumulate") return value;
    return this.typed.fit(Number(this.current ?? 0) + Number(value), line);
  }

  /** Called when a row with the value was stored. */
  stored(): void {
    if (this.rules.sticky === false) this.current = this.#initial;
  }

  endRun(): void {
    this.#closed = false;
    if (!this.#constant) this.current = this.#initial;
    this.finder?.reset();
  }
}

import type { Experiment } from "../../../../core/experiments/index.ts";
import type { Value, Values } from "../../../../core/values/index.ts";
import { hasUnits, type Variable } from "../../../../core/variables/index.ts";
import type {
  Cut,
  InputDescription,
  InputLocation,
  NamedLocation,
  Origin,
} from "../../../../formats/descriptions/index.ts";
import { Binding } from "../binding.ts";
import { TypedText } from "./typed-text.ts";

type Named = { readonly name: string; readonly origin: Origin };

/** Resolves the names of a description to the variables of its experiment. */
export class Binder extends Binding {
  /** Values that the user fixed; they override the description. */
  readonly fixed: ReadonlyMap<Variable, Value>;
  /** The locations of the variables that are not fixed. */
  readonly locations: readonly InputLocation[];
  /** The `multiple` variables that have a location or are fixed, in the order of the experiment. */
  readonly variables: readonly Variable[];

  constructor(description: InputDescription, experiment: Experiment, fixed: Values) {
    super(description.file, experiment);
    this.fixed = new Map(
      [...fixed].map(([name, value]) => [this.variable({ name, origin: { line: 1, column: 1 } }), value]),
    );
    this.locations = description.locations
      .map((location) => this.#unfixed(location))
      .filter((location) => location !== undefined);
    const filled = new Set([
      ...this.fixed.keys(),
      ...this.locations.flatMap((each) => variablesFilledBy(each)).map((each) => this.variable(each)),
    ]);
    this.variables = experiment.variables.filter(
      (variable) => variable.occurrence === "multiple" && filled.has(variable),
    );
  }

  get names(): string[] {
    const searched = this.locations.filter(({ kind }) => kind !== "fixed" && kind !== "derived");
    return [...new Set(searched.flatMap((each) => variablesFilledBy(each)).map(({ name }) => name))];
  }

  /** Index of the variable's column; -1: once per run. */
  target(variable: Variable): number {
    return this.variables.indexOf(variable);
  }

  typed(variable: Variable, cut: Cut, origin: Origin): TypedText {
    return this.fitting(variable, origin, () => new TypedText(variable, cut));
  }

  /** For texts that are already filtered and mapped. */
  unshaped(variable: Variable, { unit, scale }: Cut): TypedText {
    return new TypedText(variable, {
      ...(unit === undefined ? {} : { unit }),
      ...(scale === undefined ? {} : { scale }),
    });
  }

  /** Fails unless counts and sums have numbers, and multi-line texts a text type. */
  checkMode({ mode, lines, block, origin }: NamedLocation, variable: Variable): void {
    const { name, type } = variable;
    const isText = type === "string" || type === "text";
    if ((mode === "count" || mode === "accumulate") && !hasUnits(type))
      throw this.error(origin, `'${name}' is not a number (${type}) and cannot ${mode}`);
    if (mode === "boolean" && type !== "boolean")
      throw this.error(origin, `'${name}' is ${type}, the mode needs a boolean`);
    if (mode === undefined && (lines !== undefined || block) && !isText)
      throw this.error(origin, `'${name}' is ${type}: only a string or a text has many lines`);
  }

  #isFixed(each: Named): boolean {
    return this.fixed.has(this.variable(each));
  }

  /** The location without variables that the user fixed; undefined when nothing remains. */
  #unfixed(location: InputLocation): InputLocation | undefined {
    if (location.kind === "separation") return location;
    if (location.kind === "table") {
      const values = location.values.filter((value) => !this.#isFixed(value));
      return values.length > 0 ? { ...location, values: withAbsolutePositions(location.values, values) } : undefined;
    }
    if (location.kind === "split") {
      const stores = location.stores.filter(({ name }) => !this.#isFixed({ name, origin: location.origin }));
      return stores.length > 0 ? { ...location, stores } : undefined;
    }
    return this.#isFixed(location) ? undefined : location;
  }
}

/** Makes positions absolute that are relative to a removed column. */
function withAbsolutePositions<T extends { readonly position: { readonly kind: string } }>(
  all: readonly T[],
  remaining: readonly T[],
): T[] {
  let before = 0;
  const numbers = new Map<T, number>();
  for (const value of all) {
    const position = value.position as { kind: string; number?: number; offset?: number };
    before = position.number ?? before + (position.offset ?? 0);
    numbers.set(value, before);
  }
  return remaining.map((value) =>
    value.position.kind === "relative"
      ? { ...value, position: { kind: "number", number: numbers.get(value) ?? 0 } }
      : value,
  );
}

/** The variables that a location fills. */
function variablesFilledBy(location: InputLocation): Named[] {
  if (location.kind === "separation") return [];
  if (location.kind === "table") return [...location.values];
  if (location.kind === "split") return location.stores.map(({ name }) => ({ name, origin: location.origin }));
  return [location];
}

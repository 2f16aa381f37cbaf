import { Failure, isFailure } from "../../../core/failures/index.ts";
import type { Experiment } from "../../../core/experiments/index.ts";
import { nearest } from "../../../core/text/index.ts";
import type { Value, Values } from "../../../core/values/index.ts";
import { findVariable, type Variable } from "../../../core/variables/index.ts";
import {
  filledVariables,
  type InputDescription,
  type InputLocation,
  type Origin,
} from "../../../formats/descriptions/index.ts";

export type Named = { readonly name: string; readonly origin: Origin };

/** A description bound to its experiment: resolves variable names and reports errors with their position. */
export class Binding {
  readonly experiment: Experiment;
  /** Values that the user fixed; they override the description. */
  readonly fixed: ReadonlyMap<Variable, Value>;
  /** The locations of the variables that are not fixed; tables keep all their columns. */
  readonly locations: readonly InputLocation[];
  /** The locations of single values that are fixed; their lines may still separate. */
  readonly overruled: readonly InputLocation[];
  /** The `multiple` variables that have a location or are fixed, in the order of the experiment. */
  readonly variables: readonly Variable[];
  readonly #file: string;

  constructor(description: InputDescription, experiment: Experiment, fixed: Values) {
    this.#file = description.file;
    this.experiment = experiment;
    this.fixed = new Map(
      [...fixed].map(([name, value]) => [this.variable({ name, origin: { line: 1, column: 1 } }), value]),
    );
    this.locations = description.locations.flatMap((location) => this.#unfixed(location) ?? []);
    this.overruled = description.locations.filter((location) => this.#unfixed(location) === undefined);
    const filled = new Set([
      ...this.fixed.keys(),
      ...this.#filledBy(this.locations).map((each) => this.variable(each)),
    ]);
    this.variables = experiment.variables.filter(
      (variable) => variable.occurrence === "multiple" && filled.has(variable),
    );
  }

  error(origin: Origin, problem: string, details: { near?: string; advice?: string } = {}): Failure {
    return new Failure("description-error", {
      file: this.#file,
      line: origin.line,
      column: origin.column,
      problem,
      ...details,
    });
  }

  variable(location: Named): Variable {
    const found = findVariable(this.experiment.variables, location.name);
    if (found) return found;
    const names = this.experiment.variables.map((variable) => variable.name);
    const near = nearest(location.name.slice(0, 64), names).join(", ");
    const advice = `it has ${names.join(", ")}`;
    throw this.error(
      location.origin,
      `experiment '${this.experiment.name}' has no parameter or result '${location.name}'`,
      {
        near,
        advice,
      },
    );
  }

  /** Index of the variable's column; -1: once per run. */
  target(variable: Variable): number {
    return this.variables.indexOf(variable);
  }

  /** True when the user fixed the variable. */
  isFixed(each: Named): boolean {
    return this.fixed.has(this.variable(each));
  }

  /** Reports a unit or a notation that does not fit at `origin`, the position in the description. */
  fitting<T>({ name }: Variable, origin: Origin, make: () => T): T {
    try {
      return make();
    } catch (error) {
      if (isFailure(error, "notation-mismatch")) throw this.error(origin, error.message);
      if (isFailure(error, "unit-mismatch"))
        throw this.error(origin, `'${name}': ${error.message}`, { advice: error.remedy });
      throw error;
    }
  }

  /** The names of the variables that locations of some kinds fill. */
  names(kinds: readonly InputLocation["kind"][]): string[] {
    const searched = this.locations.filter(({ kind }) => kinds.includes(kind));
    return [...new Set(this.#filledBy(searched).map(({ name }) => name))];
  }

  #filledBy(locations: readonly InputLocation[]): Named[] {
    return locations.flatMap(filledVariables).filter((each) => !this.isFixed(each));
  }

  /** The location without variables that the user fixed; undefined when nothing remains. */
  #unfixed(location: InputLocation): InputLocation | undefined {
    if (location.kind === "separation") return location;
    if (location.kind === "split") {
      const stores = location.stores.filter(({ name }) => !this.isFixed({ name, origin: location.origin }));
      return stores.length > 0 ? { ...location, stores } : undefined;
    }
    return filledVariables(location).every((each) => this.isFixed(each)) ? undefined : location;
  }
}

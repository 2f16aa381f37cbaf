import { Failure, isFailure } from "../../../core/failures/index.ts";
import type { Experiment } from "../../../core/experiments/index.ts";
import { nearest } from "../../../core/text/index.ts";
import { findVariable, type Variable } from "../../../core/variables/index.ts";
import type { Cut, Origin } from "../../../formats/descriptions/index.ts";
import { ValueReader } from "./value-reader.ts";

/** A description bound to its experiment: resolves variable names and reports errors with their position. */
export class Binding {
  readonly experiment: Experiment;
  readonly #file: string;

  constructor(file: string, experiment: Experiment) {
    this.#file = file;
    this.experiment = experiment;
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

  variable(location: { readonly name: string; readonly origin: Origin }): Variable {
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

  reader(variable: Variable, cut: Cut, origin: Origin): ValueReader {
    return this.fitting(variable, origin, () => new ValueReader(variable, cut));
  }

  /** Reports a unit mismatch at `origin`, the position in the description. */
  protected fitting<T>({ name }: Variable, origin: Origin, make: () => T): T {
    try {
      return make();
    } catch (error) {
      if (isFailure(error, "unit-mismatch"))
        throw this.error(origin, `'${name}': ${error.message}`, { advice: error.remedy });
      throw error;
    }
  }
}

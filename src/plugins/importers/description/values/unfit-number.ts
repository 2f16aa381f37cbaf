import { Failure } from "../../../../core/failures/index.ts";
import { InvalidValue } from "../../../../core/values/index.ts";
import type { Variable } from "../../../../core/variables/index.ts";

/** A number that the variable cannot hold. Skipping it silently would falsify the input set. */
export class UnfitNumber extends InvalidValue {
  readonly #text: string;
  readonly #variable: Variable;

  constructor(text: string, variable: Variable, problem: string) {
    super(problem);
    this.#text = text.slice(0, 80);
    this.#variable = variable;
  }

  /** The failure `bad-content` at a line number or another location. */
  at(location: number | string): Failure {
    const { problem } = this;
    const text = this.#text;
    const { name, type } = this.#variable;
    return new Failure("bad-content", {
      value: text,
      variable: name,
      type,
      problem,
      location: typeof location === "number" ? `line ${location}` : location,
    });
  }
}

/** A number that is only a part of what is written: of a range, a power, a bound, several amounts. */
export class PartialNumber extends InvalidValue {}

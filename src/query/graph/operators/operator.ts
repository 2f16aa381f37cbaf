import { Failure } from "../../../core/errors.ts";
import type { OperatorElement } from "../../../core/query-description.ts";
import type { Vector } from "../vector.ts";

/** What becomes of the vectors of its inputs in an operator. Pure: inputs are not changed; the same inputs give the same answer. */
export interface Operator {
  readonly name: string;
  /**
   * `inputs` are in the order of the element, at least one. Fails with `query-not-possible` (see `refuse`) for inputs, values, options and
   * variants it cannot take, with `unit-mismatch` for units that do not go together.
   */
  apply(element: OperatorElement, inputs: readonly Vector[]): Vector;
}

export function refuse(element: { readonly id: string }, problem: string, advice?: string): Failure {
  return new Failure("query-not-possible", { element: element.id, problem, advice });
}

/** The only input of an operator that takes one. */
export function onlyInput(element: OperatorElement, inputs: readonly Vector[]): Vector {
  const [input, second] = inputs;
  if (input && !second) return input;
  throw refuse(
    element,
    `${element.type} takes one input, not ${inputs.length}`,
    "leave inputs out, or join them by an operator of type null first",
  );
}

/** Fails when the element says something that its operator knows nothing of. */
export function takesOnly(element: OperatorElement, taken: readonly ("value" | "option" | "variant" | "match" | "terms")[]): void {
  const stated = (["value", "option", "variant", "match"] as const).filter((name) => element[name] !== undefined);
  const unknown = [...stated, ...(element.terms.length > 0 ? (["terms"] as const) : [])].find((name) => !taken.includes(name));
  if (unknown !== undefined)
    throw refuse(element, `${element.type ?? "null"} takes no ${unknown === "terms" ? "term" : unknown}`, "leave it out");
}

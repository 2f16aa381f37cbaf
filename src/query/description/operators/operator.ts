import { Failure } from "../../../core/failures/failure.ts";
import type { OperatorElement } from "../../../core/experiments/query-description.ts";
import type { Value } from "../../../core/values/value.ts";
import type { Variable } from "../../../core/variables/variable.ts";
import type { Quotient, RowExpression } from "../../plan/row-expression.ts";
import type { CountedNumbers, NearNumbers } from "../../plan/row-summary.ts";
import type { Vector, VectorColumn } from "../vector.ts";
import type { Aggregate } from "./aggregates.ts";

/**
 * What becomes of the vectors of its inputs in an operator. Pure: inputs are not changed; the same inputs give the same
 * answer.
 */
export interface Operator {
  readonly name: string;
  /** Whether it goes by the order of runs, which vectors then know for all runs of the experiment. */
  readonly isChronological?: true;
  /** The aggregate that it takes of the rows of one input; absent for others. */
  aggregateOf?(element: OperatorElement): Aggregate;
  /**
   * What every result becomes, row by row, where databases compute the very same; undefined: they do not. Rows of
   * several inputs belong together by their parameters. It is asked before `apply`, so that not everything that the
   * element says need be possible.
   */
  inDatabase?(
    element: OperatorElement,
    inputs: readonly RowsInDatabase[],
    surroundings: OperatorContext,
  ): ComputedRows | undefined;
  /** For those that count numbers in intervals: numbers that are near each other can be counted before. */
  readonly near?: {
    /** Which numbers, and how wide and where the intervals are; see `NearNumbers`. */
    of(element: OperatorElement, input: Vector): Omit<NearNumbers, "of"> & { readonly column: VectorColumn };
    /** The same as `apply`, of an input whose rows are only counted; undefined: its rows have to be seen. */
    apply(
      element: OperatorElement,
      input: Vector,
      numbers: CountedNumbers,
      surroundings: OperatorContext,
    ): Vector | undefined;
  };
  /** The content of runs that it has to look up; it is then in the surroundings. */
  lookupOf?(element: OperatorElement): RunLookup;
  /**
   * `inputs` are in the order of the element, at least one. Fails with `query-not-possible` (see `refuse`) for inputs,
   * values, options and variants it cannot take, with `unit-mismatch` for units that do not go together.
   */
  apply(element: OperatorElement, inputs: readonly Vector[], surroundings: OperatorContext): Vector;
}

/** An input whose rows are in a database: a vector without rows, and what its columns hold there, parallel to them. */
export interface RowsInDatabase {
  readonly vector: Vector;
  readonly expressions: readonly RowExpression[];
}

/** The results of an operator, in their order. */
export interface ComputedRows {
  readonly results: readonly RowExpression[];
  /** Rows where all of these are zero are left out, unless there is nothing to divide. */
  readonly quotients?: readonly Quotient[];
}

/** What is asked of every run: the content of a once parameter or result, or what is known of the run itself. */
export type RunLookup = { readonly variable: string } | { readonly fact: RunFact };
export const runFacts = ["created", "performed", "synopsis", "description"] as const;
export type RunFact = (typeof runFacts)[number];

/** What an operator is told besides its inputs. */
export interface OperatorContext {
  /** "perfbase": numbers and names as perfbase has them where they rest on a defect. */
  readonly compat?: "perfbase";
  /** The answer to the question of the operator: the content for each run by its number. */
  readonly lookup?: { readonly variable: Variable; readonly contents: ReadonlyMap<number, Value> };
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

/**
 * Fails when the element says something that its operator knows nothing of. Scope "global" is what everything has by
 * itself.
 */
export function takesOnly(
  element: OperatorElement,
  taken: readonly ("value" | "option" | "variant" | "match" | "scope" | "terms")[],
): void {
  const stated = (["value", "option", "variant", "match"] as const).filter((name) => element[name] !== undefined);
  const unknown = [
    ...stated,
    ...(element.scope === "run" ? (["scope"] as const) : []),
    ...(element.terms.length > 0 ? (["terms"] as const) : []),
  ].find((name) => !taken.includes(name));
  if (unknown === undefined) return;
  const word = unknown === "terms" ? "term" : unknown === "scope" ? 'scope="run"' : unknown;
  throw refuse(element, `${element.type ?? "null"} takes no ${word}`, "leave it out");
}

/** One of the variants of an operator; the first, when the element does not say. */
export function variantOf<T extends string>(element: OperatorElement, variants: readonly [T, ...T[]]): T {
  const wanted = element.variant ?? variants[0];
  const found = variants.find((each) => each === wanted);
  if (found !== undefined) return found;
  throw refuse(
    element,
    `there is no variant '${wanted.slice(0, 40)}' of ${element.type}`,
    `variants are ${variants.join(", ")}`,
  );
}

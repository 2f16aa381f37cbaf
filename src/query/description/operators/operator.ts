import { Failure } from "../../../core/failures/index.ts";
import type { OperatorElement } from "../../../core/experiments/index.ts";
import type { Value } from "../../../core/values/index.ts";
import type { Variable } from "../../../core/variables/index.ts";
import type { Quotient, RowExpression, CountedNumbers, NearNumbers } from "../../plan/index.ts";
import type { Vector, VectorColumn } from "../vector.ts";
import type { Aggregate } from "./aggregates.ts";

/** An operator on vectors. Pure: does not change its inputs, and is deterministic. */
export interface Operator {
  readonly name: string;
  /** Whether it needs the order of runs; vectors then know it for all runs of the experiment. */
  readonly isChronological?: true;
  /** Its aggregate of one input; absent: none. */
  aggregateOf?(element: OperatorElement): Aggregate;
  /**
   * The results as database expressions, row by row, if bit-exact; undefined: unsupported. Rows of several inputs are
   * matched by parameters. Called before `apply`, so the element may be invalid.
   */
  inDatabase?(
    element: OperatorElement,
    inputs: readonly RowsInDatabase[],
    surroundings: OperatorContext,
  ): ComputedRows | undefined;
  /** For operators that count numbers in bins, which a database can count. */
  readonly near?: {
    /** The numbers, and width and position of the bins; see `NearNumbers`. */
    of(element: OperatorElement, input: Vector): Omit<NearNumbers, "of"> & { readonly column: VectorColumn };
    /** Like `apply` for counted numbers; undefined: it needs the rows. */
    apply(
      element: OperatorElement,
      input: Vector,
      numbers: CountedNumbers,
      surroundings: OperatorContext,
    ): Vector | undefined;
  };
  /** The run values that it looks up, passed in the context. */
  lookupOf?(element: OperatorElement): RunLookup;
  /**
   * `inputs`: in the order of the element, at least one. Fails with `query-not-possible` (see `refuse`) for unsupported
   * inputs, values, options and variants, with `unit-mismatch` for incompatible units.
   */
  apply(element: OperatorElement, inputs: readonly Vector[], surroundings: OperatorContext): Vector;
}

/** An input whose rows are in a database: a vector without rows, and the expression of each column. */
export interface RowsInDatabase {
  readonly vector: Vector;
  readonly expressions: readonly RowExpression[];
}

/** The results of an operator in order. */
export interface ComputedRows {
  readonly results: readonly RowExpression[];
  /** Omits rows in which all divisors are zero. */
  readonly quotients?: readonly Quotient[];
}

/** A value looked up for every run: a parameter or result that occurs once, or a property of the run. */
export type RunLookup = { readonly variable: string } | { readonly fact: RunFact };
export const runFacts = ["created", "performed", "synopsis", "description"] as const;
export type RunFact = (typeof runFacts)[number];

/** Input of an operator other than vectors. */
export interface OperatorContext {
  /** "perfbase": reproduces perfbase's numbers and names that are due to defects. */
  readonly compat?: "perfbase";
  /** The looked-up values by run number. */
  readonly lookup?: { readonly variable: Variable; readonly values: ReadonlyMap<number, Value> };
}

export function refuse(element: { readonly id: string }, problem: string, advice?: string): Failure {
  return new Failure("query-not-possible", { element: element.id, problem, advice });
}

/** The only input of a unary operator. */
export function onlyInput(element: OperatorElement, inputs: readonly Vector[]): Vector {
  const [input, second] = inputs;
  if (input && !second) return input;
  throw refuse(
    element,
    `${element.type} takes one input, not ${inputs.length}`,
    "remove inputs, or concatenate them by an operator of type null first",
  );
}

/** Fails if the element has attributes unsupported by its operator. Scope "global" is the default. */
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

/** The variant of an operator; the first by default. */
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

import type { OperatorElement } from "../../core/query-description.ts";
import { deferOperator } from "./defer-operator.ts";
import { deferred, vectorOf, type Deferred } from "./deferred.ts";
import { chronologyOf } from "./operators/matching.ts";
import type { Surroundings } from "./operators/operator.ts";
import { applyOperator } from "./operators/operators.ts";
import type { RunData } from "./run-lookup.ts";
import type { RowPlan, SourcePlan } from "./source-plan.ts";
import { sourceVector } from "./source-vector.ts";
import { summarize } from "./summarize.ts";
import type { Summarized } from "./summarized.ts";
import type { Vector } from "./vector.ts";

/** What a query makes of rows, told as it happens: by which elements in a database, by which outside of it. */
export interface EvaluationTrace {
  /** Rows, or groups of rows, are asked for that are those of the last of these elements. */
  asks(elements: readonly string[]): void;
  outside(element: string): void;
}

interface Waiting {
  readonly deferred: Deferred;
  readonly elements: readonly string[];
  vector?: Promise<Vector>;
}

/**
 * Vectors whose rows stay in the database for as long as operators can be applied there. In place of such a vector stands one without
 * rows, which has the columns already.
 */
export class DatabaseRows {
  readonly #data: RunData;
  readonly #needsRuns: boolean;
  readonly #trace: EvaluationTrace | undefined;
  readonly #waiting = new Map<Vector, Waiting>();

  /** `needsRuns`: some element asks which runs rows are from. */
  constructor(data: RunData, needsRuns: boolean, trace: EvaluationTrace | undefined) {
    this.#data = data;
    this.#needsRuns = needsRuns;
    this.#trace = trace;
  }

  /** The rows of a source, which stay where they are while they can; `told` is what its vector says besides. */
  async source(plan: SourcePlan, rows: RowPlan, told: Partial<Vector>): Promise<Vector> {
    const element = told.origin ?? plan.element.id;
    const waiting = this.#data.summarizes === true ? deferred(plan, rows) : undefined;
    if (waiting !== undefined)
      return this.#wait({ deferred: waiting, elements: [element] }, { ...waiting.shape, ...told });
    this.#trace?.asks([element]);
    return { ...sourceVector(plan, await this.#data.rows(rows)), ...told };
  }

  /** What an operator makes of its inputs; it is called `origin` then. */
  async operator(
    element: OperatorElement,
    inputs: readonly Vector[],
    surroundings: Surroundings,
    origin: string,
  ): Promise<Vector> {
    const [first, ...others] = inputs.flatMap((input) => this.#waiting.get(input) ?? []);
    if (first !== undefined && others.length + 1 === inputs.length) {
      const waiting = [first, ...others] as const;
      const elements = [...new Set(waiting.flatMap((each) => each.elements)), origin];
      const chronology = chronologyOf(inputs);
      const further = deferOperator(element, [first.deferred, ...others.map((each) => each.deferred)], surroundings);
      if (further !== undefined)
        return this.#wait({ deferred: further, elements }, { ...further.shape, chronology, origin });
      const summarized =
        others.length === 0 ? summarize(element, first.deferred, this.#needsRuns, surroundings) : undefined;
      const found = summarized && (await this.#summary(summarized, elements));
      if (found !== undefined) return { ...found, chronology, origin };
    }
    const vectors = await this.vectors(inputs);
    this.#trace?.outside(origin);
    return { ...applyOperator(element, vectors, surroundings), origin };
  }

  async vectors(placeholders: readonly Vector[]): Promise<Vector[]> {
    const found: Vector[] = [];
    for (const each of placeholders) found.push(await this.vector(each));
    return found;
  }

  /** The vector with its rows. */
  async vector(placeholder: Vector): Promise<Vector> {
    const waiting = this.#waiting.get(placeholder);
    if (waiting === undefined) return placeholder;
    waiting.vector ??= this.#rows(waiting, placeholder);
    return waiting.vector;
  }

  async #rows({ deferred: rows, elements }: Waiting, { chronology, origin }: Vector): Promise<Vector> {
    this.#trace?.asks(elements);
    const found = await this.#data.rows(rows.rows);
    return { ...vectorOf(rows, found), ...(chronology.length === 0 ? {} : { chronology }), origin };
  }

  /** undefined: the rows have to be seen after all. */
  async #summary({ rows, vectorOf: made }: Summarized, elements: readonly string[]): Promise<Vector | undefined> {
    this.#trace?.asks(elements);
    return made(await this.#data.rows(rows));
  }

  #wait(waiting: Waiting, placeholder: Vector): Vector {
    this.#waiting.set(placeholder, { ...waiting, deferred: { ...waiting.deferred, shape: placeholder } });
    return placeholder;
  }
}

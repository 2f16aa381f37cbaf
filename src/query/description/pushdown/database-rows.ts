import type { OperatorElement } from "../../../core/experiments/index.ts";
import { deferOperator } from "./defer-operator.ts";
import { deferred, vectorOf, type Deferred } from "./deferred.ts";
import { commonVariables, countAt, labelsOf, plainColumn, type CommonLabel } from "./group-labels.ts";
import { finiteNumbers } from "../operators/counted-numbers.ts";
import { mergedChronology, mostMatches } from "../operators/matching.ts";
import { refuse, type OperatorContext } from "../operators/operator.ts";
import { applyOperator, operatorOf, renamed } from "../operators/operators.ts";
import type { CountedNumbers, LogicalPlan, RowExpression } from "../../plan/index.ts";
import type { RunData } from "../sources/run-lookup.ts";
import type { SourcePlan } from "../sources/source-plan.ts";
import { sourceVector, type SourceRows } from "../sources/source-vector.ts";
import { aggregateOf, aggregateOutput, groupsPlan, statisticsOf, type Summarized } from "./summaries.ts";
import type { Vector, VectorColumn } from "../vector.ts";

/** Traces the evaluation of a query: which elements run in a database, and which outside. */
export interface EvaluationTrace {
  /** A database query for the rows of the last of these elements. */
  asks(elements: readonly string[]): void;
  outside(element: string): void;
}

interface Waiting {
  readonly deferred: Deferred;
  readonly elements: readonly string[];
  vector?: Promise<Vector>;
}

/**
 * Vectors whose rows stay in the database while operators can be pushed down. A placeholder without rows has their
 * columns.
 */
export class DatabaseRows {
  readonly #data: RunData;
  readonly #needsRuns: boolean;
  readonly #trace: EvaluationTrace | undefined;
  readonly #waiting = new Map<Vector, Waiting>();

  /** `needsRuns`: some element needs the runs of rows. */
  constructor(data: RunData, needsRuns: boolean, trace: EvaluationTrace | undefined) {
    this.#data = data;
    this.#needsRuns = needsRuns;
    this.#trace = trace;
  }

  /** The vector of a source, deferred if possible; `labels`: further members of the vector. */
  async source(plan: SourcePlan, rows: LogicalPlan, more: Partial<Vector>): Promise<Vector> {
    const element = more.origin ?? plan.element.id;
    const waiting = this.#data.summarizes === true ? deferred(plan, rows) : undefined;
    if (waiting !== undefined)
      return this.#wait({ deferred: waiting, elements: [element] }, { ...waiting.shape, ...more });
    this.#trace?.asks([element]);
    return { ...sourceVector(plan, await this.#data.rows(rows)), ...more };
  }

  /** Applies an operator; `origin`: name of the result. */
  async operator(
    element: OperatorElement,
    inputs: readonly Vector[],
    context: OperatorContext,
    origin: string,
  ): Promise<Vector> {
    const found = await this.#operator(element, inputs, context, origin);
    if (context.compat !== "perfbase" || element.type !== "slice") return found;
    // perfbase cannot read the rows of an empty list of runs.
    const rows = await this.vector(found);
    if (rows.length === 0) throw refuse(element, "it selects no run", "select at least one run that exists");
    return rows;
  }

  async #operator(
    element: OperatorElement,
    inputs: readonly Vector[],
    context: OperatorContext,
    origin: string,
  ): Promise<Vector> {
    const [first, ...others] = inputs.flatMap((input) => this.#waiting.get(input) ?? []);
    if (first !== undefined && others.length + 1 === inputs.length) {
      const waiting = [first, ...others] as const;
      const elements = [...new Set(waiting.flatMap((each) => each.elements)), origin];
      const chronology = mergedChronology(inputs);
      const further = deferOperator(element, [first.deferred, ...others.map((each) => each.deferred)], context);
      if (further !== undefined)
        return this.#wait({ deferred: further, elements }, { ...further.shape, chronology, origin });
      const summarized = others.length === 0 ? summarize(element, first.deferred, this.#needsRuns, context) : undefined;
      const found = summarized && (await this.#summary(summarized, elements));
      if (found !== undefined) return { ...found, chronology, origin };
    }
    const vectors = await this.vectors(inputs);
    this.#trace?.outside(origin);
    return { ...applyOperator(element, vectors, context), origin };
  }

  async vectors(placeholders: readonly Vector[]): Promise<Vector[]> {
    const found: Vector[] = [];
    for (const each of placeholders) found.push(await this.vector(each));
    return found;
  }

  /** Loads the rows of a vector. */
  async vector(placeholder: Vector): Promise<Vector> {
    const waiting = this.#waiting.get(placeholder);
    if (waiting === undefined) return placeholder;
    waiting.vector ??= this.#rows(waiting, placeholder);
    return waiting.vector;
  }

  async #rows({ deferred: rows, elements }: Waiting, { chronology, origin }: Vector): Promise<Vector> {
    this.#trace?.asks(elements);
    const { rows: plan } = rows;
    const isBounded = typeof plan.of === "string" || plan.limit !== undefined;
    const found = await this.#data.rows(isBounded ? plan : { ...plan, limit: mostMatches + 1 });
    return { ...vectorOf(rows, found), ...(chronology.length === 0 ? {} : { chronology }), origin };
  }

  /** undefined: needs the rows. */
  async #summary({ rows, vectorOf: made }: Summarized, elements: readonly string[]): Promise<Vector | undefined> {
    this.#trace?.asks(elements);
    return made(await this.#data.rows(rows));
  }

  #wait(waiting: Waiting, placeholder: Vector): Vector {
    this.#waiting.set(placeholder, { ...waiting, deferred: { ...waiting.deferred, shape: placeholder } });
    return placeholder;
  }
}

/**
 * Aggregates deferred rows in the database; undefined: needs the rows. `needsRuns`: other elements need the run of an
 * extreme. Fails like the operator.
 */
function summarize(
  element: OperatorElement,
  input: Deferred,
  needsRuns: boolean,
  context: OperatorContext,
): Summarized | undefined {
  if (input.rows.limit !== undefined) return undefined;
  const common = commonVariables(input);
  if (common === undefined) return undefined;
  if (element.type === "statistics") return statisticsOf(element, input, common);
  return aggregateOf(element, input, common, needsRuns) ?? countedOf(element, input, common, context);
}

/** Counts numbers by bin in the database; undefined: the operator does not count. */
function countedOf(
  element: OperatorElement,
  input: Deferred,
  common: readonly CommonLabel[],
  context: OperatorContext,
): Summarized | undefined {
  const { near, apply } = operatorOf(element);
  if (near === undefined) return undefined;
  apply(element, [input.shape], context);
  const { column, ...positions } = near.of(element, input.shape);
  const number = input.expressions[input.shape.columns.indexOf(column)];
  if (number === undefined) return undefined;
  const of: RowExpression = { kind: "float", of: number };
  const extremes = (["min", "max"] as const).map((kind) => aggregateOutput(of, { kind }));
  const rows = groupsPlan(input.rows, extremes, common);
  return {
    rows: { ...rows, bins: { of, ...positions } },
    vectorOf(answer) {
      const labels = labelsIn(input, answer, common);
      const found = near.apply(
        element,
        { ...input.shape, labels },
        finiteNumbers(element, column, numbersOf(answer)),
        context,
      );
      return found && renamed(element, input.shape, found);
    },
  };
}

function labelsIn(input: Deferred, { table }: SourceRows, common: readonly CommonLabel[]): ReturnType<typeof labelsOf> {
  const [, , ...columns] = table.columns;
  const at = (position: number): VectorColumn["column"] => plainColumn(columns[position], table.length);
  return labelsOf(input, common, at, columns.at(-1), table.length);
}

/** Groups in order of their numbers, NaN last; omits missing numbers. */
function numbersOf({ table }: SourceRows): CountedNumbers {
  const [least, greatest, ...columns] = table.columns;
  if (least?.kind !== "number" || greatest?.kind !== "number")
    return { least: new Float64Array(), greatest: new Float64Array(), counts: new Float64Array() };
  const present = Array.from({ length: table.length }, (_, row) => row).filter((row) => least.missing?.[row] !== 1);
  const rows = present.sort((a, b) => compareNumbers(least.values[a] ?? 0, least.values[b] ?? 0));
  return {
    least: Float64Array.from(rows, (row) => least.values[row] ?? 0),
    greatest: Float64Array.from(rows, (row) => greatest.values[row] ?? 0),
    counts: Float64Array.from(rows, (row) => countAt(columns.at(-1), row)),
  };
}

function compareNumbers(a: number, b: number): number {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
  return a === b ? 0 : a < b ? -1 : 1;
}

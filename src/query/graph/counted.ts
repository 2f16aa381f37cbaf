import type { OperatorElement } from "../../core/query-description.ts";
import { countAt, labelsOf, plainColumn, type CommonLabel } from "./group-labels.ts";
import type { Deferred } from "./deferred.ts";
import { finiteNumbers } from "./operators/counted-numbers.ts";
import type { Surroundings } from "./operators/operator.ts";
import { operatorOf, renamed } from "./operators/operators.ts";
import type { CountedNumbers } from "./row-summary.ts";
import type { RowPlan } from "./source-plan.ts";
import type { SourceRows } from "./source-vector.ts";
import type { Summarized } from "./summarized.ts";
import type { VectorColumn } from "./vector.ts";

/** Numbers that are counted where they are, those near each other together; undefined: the operator does not count. */
export function countedOf(
  element: OperatorElement,
  input: Deferred,
  common: readonly CommonLabel[],
  surroundings: Surroundings,
): Summarized | undefined {
  const { near, apply } = operatorOf(element);
  if (near === undefined) return undefined;
  apply(element, [input.shape], surroundings);
  const { column, ...places } = near.of(element, input.shape);
  const of = input.expressions[input.shape.columns.indexOf(column)];
  if (of === undefined) return undefined;
  const rows: RowPlan = {
    ...input.rows,
    summary: { by: { of, ...places }, columns: [], common: common.map(({ variable }) => variable) },
  };
  return {
    rows,
    vectorOf(answer) {
      const labels = labelsIn(input, answer, common);
      const found = near.apply(
        element,
        { ...input.shape, labels },
        finiteNumbers(element, column, numbersOf(answer)),
        surroundings,
      );
      return found && renamed(element, input.shape, found);
    },
  };
}

function labelsIn(input: Deferred, { table }: SourceRows, common: readonly CommonLabel[]): ReturnType<typeof labelsOf> {
  const [, , , ...columns] = table.columns;
  const at = (place: number): VectorColumn["column"] => plainColumn(columns[place], table.length);
  return labelsOf(input, common, at, columns.at(-1), table.length);
}

/** Groups in order of their numbers, NaN behind all others; a group without a number is of missing ones. */
function numbersOf({ table }: SourceRows): CountedNumbers {
  const [, least, greatest, ...columns] = table.columns;
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

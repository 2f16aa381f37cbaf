import { pickRows } from "../../../core/tables/index.ts";
import type { OperatorElement } from "../../../core/experiments/index.ts";
import type { Value } from "../../../core/values/index.ts";
import { quantilePercent } from "../../../core/variables/index.ts";
import { allRows, groupRows, rowsByRun } from "../groups.ts";
import { parametersOf, resultsOf, type Vector, type VectorColumn } from "../vector.ts";
import { type Aggregate, quantileAggregate } from "./aggregates.ts";
import { onlyInput, refuse, takesOnly, type Operator, variantOf } from "./operator.ts";
import { requestedType, withValues, valueIn } from "./quantity.ts";

/** The median; of an even number of values the lower one, with variant="upper" the upper one. */
export const median: Operator = {
  name: "median",
  aggregateOf: (element) => aggregateIn(element, 50),
  apply(element, inputs) {
    takesOnly(element, ["variant", "scope"]);
    return aggregate(aggregateIn(element, 50), element, onlyInput(element, inputs));
  },
};

/** The value below which `value` percent of the values are; with variant="upper" above which. */
export const quantile: Operator = {
  name: "quantile",
  aggregateOf: (element) => aggregateIn(element, percentIn(element)),
  apply(element, inputs) {
    takesOnly(element, ["value", "variant", "scope"]);
    return aggregate(aggregateIn(element, percentIn(element)), element, onlyInput(element, inputs));
  },
};

function percentIn(element: OperatorElement): number {
  // A bare number is a percentage, as in perfbase.
  const percent = quantilePercent(element.value?.trim() ?? "") ?? valueIn(element);
  if (percent >= 0 && percent <= 100) return percent;
  throw refuse(element, `there is no quantile of ${percent} %`, "give a value from 0 to 100");
}

function aggregateIn(element: OperatorElement, percent: number): Aggregate {
  return quantileAggregate(element.type ?? "", percent, variantOf(element, ["lower", "upper"]) === "upper");
}

/**
 * Aggregates one input: a source for every combination of parameters; another element, or with scope="run", all rows
 * (of each run).
 */
export function aggregate(aggregate: Aggregate, element: OperatorElement, input: Vector): Vector {
  return element.scope !== "run" && input.from === "source"
    ? grouped(aggregate, element, input)
    : reduced(aggregate, element, input);
}

/** An aggregate as an operator of one input. */
export function aggregateOperator(of: Aggregate): Operator {
  return {
    name: of.name,
    aggregateOf: () => of,
    apply(element, inputs) {
      takesOnly(element, ["option", "scope"]);
      return aggregate(of, element, onlyInput(element, inputs));
    },
  };
}

function grouped(aggregate: Aggregate, element: OperatorElement, input: Vector): Vector {
  const parameters = parametersOf(input);
  const { values, rows } = groupRows(parameters, input.length, element.id);
  const groups = parameters.length === 0 && input.length === 0 ? groupsOfNothing(aggregate) : rows;
  let repeat = 1;
  const keys = parameters.map((column, at): VectorColumn => {
    const own = values[at] ?? [];
    const [every, size] = [repeat, Math.max(1, own.length)];
    repeat *= size;
    return withValues(
      column,
      groups.map((_, group) => own[Math.floor(group / every) % size] ?? null),
    );
  });
  const results = resultsOf(input).map((column) => aggregated(aggregate, element, column, groups));
  const [chooser] = resultsOf(input);
  const chosen = groups.map((group) => (chooser ? aggregate.row?.(chooser, group) : undefined));
  return {
    ...input,
    origin: element.id,
    from: "operator",
    columns: [...keys, ...results],
    runs: Int32Array.from(chosen, (row) => (row === undefined ? -1 : (input.runs[row] ?? -1))),
    length: groups.length,
  };
}

/** Of no rows, only the count is defined. */
function groupsOfNothing({ name }: Aggregate): Int32Array[] {
  return name === "count" ? [new Int32Array()] : [];
}

/** Extremes keep the parameters of their row; a sum keeps parameters without values; other aggregates drop them. */
function reduced(aggregate: Aggregate, element: OperatorElement, input: Vector): Vector {
  const groups = element.scope === "run" ? rowsByRun(input) : [allRows(input.length)];
  const kept = input.length > 0 ? groups : element.scope === "run" ? [] : groupsOfNothing(aggregate);
  const [chooser] = resultsOf(input);
  const chosen = kept.map((group) => (chooser && aggregate.row ? (aggregate.row(chooser, group) ?? -1) : -1));
  const runOf = (at: number): number =>
    element.scope === "run" ? (input.runs[kept[at]?.[0] ?? -1] ?? -1) : (input.runs[chosen[at] ?? -1] ?? -1);
  return {
    ...input,
    origin: element.id,
    from: "operator",
    columns: [
      ...reducedKeys(aggregate, input, chosen),
      ...resultsOf(input).map((column) => aggregated(aggregate, element, column, kept)),
    ],
    runs: Int32Array.from(kept, (_, at) => runOf(at)),
    length: kept.length,
  };
}

function reducedKeys(aggregate: Aggregate, input: Vector, chosen: readonly number[]): VectorColumn[] {
  if (aggregate.row)
    return parametersOf(input).map((column) => ({ ...column, column: pickRows(column.column, chosen) }));
  if (aggregate.name !== "sum") return [];
  return parametersOf(input).map((column) =>
    withValues(
      column,
      chosen.map(() => null),
    ),
  );
}

function aggregated(
  aggregate: Aggregate,
  element: OperatorElement,
  column: VectorColumn,
  groups: readonly Int32Array[],
): VectorColumn {
  const values = groups.map((rows) => aggregate.compute(column, rows));
  const display = `${aggregate.name}(${column.display})`;
  return resultColumn(aggregate, element, { ...column, display }, values);
}

/** The column of an aggregate's values, in the requested type. */
export function resultColumn(
  aggregate: Aggregate,
  element: OperatorElement,
  column: VectorColumn,
  values: readonly Value[],
): VectorColumn {
  if (!aggregate.of.includes(column.variable.type))
    throw refuse(element, `there is no ${aggregate.name} of '${column.display}', which is a ${column.variable.type}`);
  const result = aggregate.variable(column.variable);
  const type = requestedType(element, result);
  const cut = type === "integer" && result.type !== "integer" ? values.map(truncated) : values;
  return withValues({ ...column, variable: { ...result, type } }, cut);
}

function truncated(value: Value): Value {
  return typeof value === "number" ? Math.trunc(value) : value;
}

import { numberColumn, textColumn } from "../../../core/table-builder.ts";
import { columnKind } from "../../../core/table.ts";
import type { Value } from "../../../core/value.ts";
import type { OperatorElement } from "../../../core/query-description.ts";
import { groupRows } from "../groups.ts";
import { contentOf, parametersOf, pickRows, resultsOf, type Vector, type VectorColumn } from "../vector.ts";
import type { Aggregate } from "./aggregates.ts";
import { onlyInput, refuse, takesOnly, type Operator } from "./operator.ts";

/**
 * An aggregate as an operator. Of a source it is taken for every combination of parameters; of another element, or with scope="run", over
 * all rows (of each run); of several inputs row by row, as long as the shortest.
 */
export function aggregateOperator(aggregate: Aggregate): Operator {
  return {
    name: aggregate.name,
    apply(element, inputs) {
      takesOnly(element, aggregate.name === "count" ? ["option"] : aggregate.acrossInputs && inputs.length > 1 ? ["match"] : []);
      if (inputs.length > 1 && aggregate.acrossInputs) return acrossInputs(aggregate, element, inputs);
      const input = onlyInput(element, inputs);
      if (element.scope !== "run" && input.from === "source") return grouped(aggregate, element, input);
      return reduced(aggregate, element, input);
    },
  };
}

function grouped(aggregate: Aggregate, element: OperatorElement, input: Vector): Vector {
  const parameters = parametersOf(input);
  const { contents, rows } = groupRows(parameters, input.length, element.id);
  const groups = parameters.length === 0 && input.length === 0 ? [] : rows;
  let repeat = 1;
  const keys = parameters.map((column, at): VectorColumn => {
    const own = contents[at] ?? [];
    const [every, size] = [repeat, Math.max(1, own.length)];
    repeat *= size;
    return withContents(
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

/** Extremes keep the parameters of the row they are from; a sum keeps parameters without content; other aggregates lose them. */
function reduced(aggregate: Aggregate, element: OperatorElement, input: Vector): Vector {
  const groups = element.scope === "run" ? rowsByRun(input) : [Int32Array.from({ length: input.length }, (_, row) => row)];
  const kept = input.length === 0 ? [] : groups;
  const [chooser] = resultsOf(input);
  const chosen = kept.map((group) => (chooser && aggregate.row ? (aggregate.row(chooser, group) ?? -1) : -1));
  const keys = aggregate.row
    ? parametersOf(input).map((column) => ({ ...column, column: pickRows(column.column, chosen) }))
    : aggregate.name === "sum"
      ? parametersOf(input).map((column) =>
          withContents(
            column,
            kept.map(() => null),
          ),
        )
      : [];
  const runOf = (at: number): number =>
    element.scope === "run" ? (input.runs[kept[at]?.[0] ?? -1] ?? -1) : (input.runs[chosen[at] ?? -1] ?? -1);
  return {
    ...input,
    origin: element.id,
    from: "operator",
    columns: [...keys, ...resultsOf(input).map((column) => aggregated(aggregate, element, column, kept))],
    runs: Int32Array.from(kept, (_, at) => runOf(at)),
    length: kept.length,
  };
}

/** In order of the runs' first rows. */
function rowsByRun(input: Vector): Int32Array[] {
  const groups = new Map<number, number[]>();
  input.runs.forEach((run, row) => {
    const own = groups.get(run);
    if (own) own.push(row);
    else groups.set(run, [row]);
  });
  return [...groups.values()].map((rows) => Int32Array.from(rows));
}

/** Parameters are those of the first input, whose rows the others' have to stand beside. */
function acrossInputs(aggregate: Aggregate, element: OperatorElement, inputs: readonly Vector[]): Vector {
  const [first] = inputs;
  if (first === undefined || element.match === "modulo" || element.scope === "run")
    throw refuse(element, `${aggregate.name} of several inputs goes row by row`, 'leave scope and match="modulo" out');
  const length = Math.min(...inputs.map((input) => input.length));
  const rows = Array.from({ length }, (_, row) => row);
  const results = resultsOf(first).map((column, at) => {
    const beside = inputs.map((input) => resultsOf(input)[at]).filter((each) => each !== undefined);
    if (beside.length < inputs.length) throw refuse(element, "its inputs have different numbers of results");
    checkAlike(element, column, beside);
    const contents = rows.map((row) => {
      const across = withContents(
        column,
        beside.map((each) => contentOf(each, row)),
      );
      return aggregate.content(
        across,
        beside.map((_, place) => place),
      );
    });
    const display = `${aggregate.name}(${beside.map((each) => each.display).join(",")})`;
    return withContents({ ...column, variable: resultOf(aggregate, element, column), display }, contents);
  });
  const keys = parametersOf(first).map((column) => ({ ...column, column: pickRows(column.column, rows) }));
  return { ...first, origin: element.id, from: "operator", columns: [...keys, ...results], runs: new Int32Array(length).fill(-1), length };
}

function checkAlike(element: OperatorElement, { variable, display }: VectorColumn, others: readonly VectorColumn[]): void {
  const other = others.find(
    (each) => each.variable.type !== variable.type || JSON.stringify(each.variable.unit) !== JSON.stringify(variable.unit),
  );
  if (other) throw refuse(element, `'${display}' and '${other.display}' differ in type or unit`, "scale or convert one of them first");
}

function aggregated(aggregate: Aggregate, element: OperatorElement, column: VectorColumn, groups: readonly Int32Array[]): VectorColumn {
  const contents = groups.map((rows) => aggregate.content(column, rows));
  return withContents(
    { ...column, variable: resultOf(aggregate, element, column), display: `${aggregate.name}(${column.display})` },
    contents,
  );
}

function resultOf(aggregate: Aggregate, element: OperatorElement, { variable, display }: VectorColumn): VectorColumn["variable"] {
  if (!aggregate.of.includes(variable.type))
    throw refuse(element, `there is no ${aggregate.name} of '${display}', which is a ${variable.type}`);
  const result = aggregate.variable(variable);
  if (element.option === undefined) return result;
  if (element.option === "float" || element.option === "integer") return { ...result, type: element.option };
  throw refuse(element, `there is no option '${element.option}' of ${aggregate.name}`, "options are float and integer");
}

function withContents(column: VectorColumn, contents: readonly Value[]): VectorColumn {
  const isText = columnKind(column.variable.type) === "text";
  return { ...column, column: isText ? textColumn(contents.map((each) => (each === null ? null : String(each)))) : numberColumn(contents) };
}

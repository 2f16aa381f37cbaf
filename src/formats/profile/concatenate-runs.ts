import { isList, isObject, type Json, type JsonObject } from "../../core/values/json.ts";
import type { Run } from "../../core/profiles/run.ts";
import type { Column, Table } from "../../core/tables/table.ts";
import { joinedTables } from "./concatenate-tables.ts";

/**
 * The runs of one measurement as one run: their rows one below the other, how each program ended, and all else as the
 * first has it.
 */
export function joinedRuns(runs: readonly [Run, ...Run[]]): Run {
  const [first, ...others] = runs;
  if (others.length === 0) return first;
  const extra = new Map<string, Json>(first.extra);
  const executions = runs.map((run) => run.extra.get("execution")).filter(isObject);
  if (executions.length > 0) extra.set("execution", joinedExecution(executions));
  extra.set("header", joinedHeader(runs));
  return { ...first, data: joinedTables(runs.map((run) => run.data)), extra };
}

/** The same where the runs repeat one measurement: the numbers in the column `order` go on from run to run. */
export function joinedRounds(runs: readonly [Run, ...Run[]]): Run {
  let before = 0;
  const [first, ...others] = runs.map((run): Run => {
    const moved = { ...run, data: movedOrder(run.data, before) };
    before += greatestOrder(run.data);
    return moved;
  });
  return joinedRuns([first!, ...others]);
}

/** The unit of an amount is that of the run that has it. */
function joinedHeader(runs: readonly Run[]): JsonObject {
  const headers = runs.map((run) => run.extra.get("header")).filter(isObject);
  const units = headers.map((header) => header.get("units")).filter(isObject);
  const [first = new Map<string, Json>()] = headers;
  return units.length === 0 ? first : new Map([...first, ["units", new Map(units.flatMap((own) => [...own]))]]);
}

/** Statuses of all; what was printed is that of the last. */
function joinedExecution(executions: readonly JsonObject[]): JsonObject {
  const statuses = executions.flatMap((execution) => {
    const status = execution.get("status");
    return isList(status) ? status : [];
  });
  return new Map([...(executions.at(-1) ?? []), ["status", statuses]]);
}

function orderColumn({ variables, columns }: Table): Column | undefined {
  return columns[variables.findIndex(({ name }) => name === "order")];
}

function greatestOrder(table: Table): number {
  const column = orderColumn(table);
  return column?.kind === "number" ? column.values.reduce((most, value) => Math.max(most, value), 0) : 0;
}

function movedOrder(table: Table, by: number): Table {
  const column = orderColumn(table);
  if (column?.kind !== "number" || by === 0) return table;
  const moved = { ...column, values: column.values.map((value) => value + by) };
  return { ...table, columns: table.columns.map((each) => (each === column ? moved : each)) };
}

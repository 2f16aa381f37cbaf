import { convertsNumbers } from "../../core/experiments/index.ts";
import { Failure } from "../../core/failures/index.ts";
import { conversion, convert, formatUnit, formatValue, parseValue } from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import type { Engine } from "../../plugins/engines/engine.ts";
import { columnName, dataTable, onceTable, recordsOf } from "../schema/index.ts";
import type { StoredExperiment } from "./catalogue.ts";

/** A variable that stays and has another unit, in which its numbers differ. */
interface UnitChange {
  readonly id: number;
  readonly before: Variable;
  readonly after: Variable;
}

/** Pairs variables of two states of an experiment by id. */
function unitChanges(before: StoredExperiment, after: StoredExperiment): UnitChange[] {
  return after.variableIds.flatMap((id, at) => {
    const was = before.experiment.variables[before.variableIds.indexOf(id)];
    const variable = after.experiment.variables[at];
    if (was === undefined || variable === undefined || !convertsNumbers(was, variable)) return [];
    return [{ id, before: was, after: variable }];
  });
}

/** Whether the update converts stored numbers. */
export function convertsUnits(before: StoredExperiment, after: StoredExperiment): boolean {
  return unitChanges(before, after).length > 0;
}

/** Fails with `update-refused` if a stored integer is none in the new unit. */
export async function requireWholeNumbers(
  engine: Engine,
  before: StoredExperiment,
  after: StoredExperiment,
): Promise<void> {
  for (const { id, before: was, after: variable } of unitChanges(before, after)) {
    if (was.type !== "integer") continue;
    const { times, over } = conversion(was.unit, variable.unit);
    const column = columnName(id);
    const found = await engine.query(
      `select ${column} as value from ${tableOf(before.id, was)} where (${column} * ${times}) % ${over} <> 0 limit 1`,
    );
    if (found.length === 0) continue;
    const value = String(recordsOf(found)[0]?.get("value"));
    throw new Failure("update-refused", {
      experiment: before.experiment.name,
      problem: `'${was.name}' has the value ${value}, which is no whole number in ${formatUnit(variable.unit)}`,
      advice: "choose a smaller unit, or keep the numbers with --relabel",
    });
  }
}

/**
 * Converts the stored numbers and parameter sets of variables with another unit, within a transaction of the
 * caller.
 */
export async function convertUnits(engine: Engine, before: StoredExperiment, after: StoredExperiment): Promise<void> {
  for (const change of unitChanges(before, after)) {
    const { id, before: was, after: variable } = change;
    const { times, over } = conversion(was.unit, variable.unit);
    const column = columnName(id);
    await engine.execute(
      `update ${tableOf(before.id, was)} set ${column} = ${convertedSql(engine, column, was, { times, over })}
       where ${column} is not null`,
    );
    await convertParameterSets(engine, before.id, change);
  }
}

function convertedSql(
  engine: Engine,
  column: string,
  { type }: Variable,
  { times, over }: { readonly times: number; readonly over: number },
): string {
  if (type === "integer") return `${column} * ${times} ${engine.dialect.wholeQuotient} ${over}`;
  // The arithmetic of `convert`.
  const number = (value: number): string => `cast('${value}' as double precision)`;
  return over === 1 ? `${column} * ${number(times)}` : `${column} * ${number(times)} / ${number(over)}`;
}

async function convertParameterSets(
  engine: Engine,
  experiment: number,
  { id, before, after }: UnitChange,
): Promise<void> {
  const table = "parameter_set_content";
  const where = "experiment = $1 and name_key = $2 and variable = $3";
  const found = await engine.query(
    `select name_key, content from ${table} where experiment = $1 and variable = $2 and content is not null`,
    [experiment, id],
  );
  for (const row of recordsOf(found)) {
    const [key, text] = [String(row.get("name_key")), String(row.get("content"))];
    const converted = convert(Number(parseValue(text, before)), conversion(before.unit, after.unit));
    const value = formatValue(before.type === "integer" ? Math.round(converted) : converted, before.type);
    await engine.execute(`delete from ${table} where ${where}`, [experiment, key, id]);
    await engine.execute(`insert into ${table} (experiment, name_key, variable, content) values ($1, $2, $3, $4)`, [
      experiment,
      key,
      id,
      value,
    ]);
  }
}

/** Number of values of variables, also in deleted runs, by variable name; omits variables without values. */
export async function valueCounts(
  engine: Engine,
  { id, experiment, variableIds }: StoredExperiment,
  names: readonly string[],
): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const [at, variable] of experiment.variables.entries()) {
    if (!names.includes(variable.name)) continue;
    const found = await engine.query(
      `select count(${columnName(variableIds[at] ?? 0)}) as n from ${tableOf(id, variable)}`,
    );
    const count = Number(recordsOf(found)[0]?.get("n"));
    if (count > 0) counts.set(variable.name, count);
  }
  return counts;
}

function tableOf(experiment: number, { occurrence }: Variable): string {
  return occurrence === "once" ? onceTable(experiment) : dataTable(experiment);
}

import { Failure } from "../../core/failures/index.ts";
import { nearest } from "../../core/text/index.ts";
import { formatValue, parseValue, type Value, type Values } from "../../core/values/index.ts";
import type { StoredValue } from "../../formats/store/index.ts";
import type { Engine } from "../../plugins/engines/engine.ts";
import { appendRows, type StoredExperiment } from "./catalogue.ts";
import { number, recordsOf, text, type Columns } from "../schema/index.ts";

const setColumns: Columns = [number("experiment"), text("name"), text("name_key")];
const valueColumns: Columns = [number("experiment"), text("name_key"), number("variable"), text("content")];

/** The once parameters among `values` in stored form; omits other variables. */
export function onceParameterValues({ experiment, variableIds }: StoredExperiment, values: Values): StoredValue[] {
  return experiment.variables.flatMap((variable, at) => {
    const value = values.get(variable.name);
    if (value === undefined || variable.role !== "parameter" || variable.occurrence !== "once") return [];
    return [
      { variable: variableIds[at] as number, content: value === null ? null : formatValue(value, variable.type) },
    ];
  });
}

/** Creates or replaces a set; names are case-insensitive. */
export async function storeParameterSet(
  engine: Engine,
  id: number,
  name: string,
  values: readonly StoredValue[],
): Promise<void> {
  const key = name.toLowerCase();
  await dropSet(engine, id, key);
  await appendRows(engine, "parameter_set", setColumns, [[id, name, key]]);
  await appendRows(
    engine,
    "parameter_set_content",
    valueColumns,
    values.map(({ variable, content }) => [id, key, variable, content]),
  );
}

/** Sorted by name. */
export async function listParameterSets(engine: Engine, { id }: StoredExperiment): Promise<string[]> {
  const rows = await engine.query("select name from parameter_set where experiment = $1 order by name_key", [id]);
  return recordsOf(rows).map((row) => String(row.get("name")));
}

/**
 * The values of a set, without variables dropped from the experiment. Fails with `unknown-parameter-set`, which lists
 * similar names.
 */
export async function parameterSet(engine: Engine, stored: StoredExperiment, name: string): Promise<Values> {
  const { id, experiment, variableIds } = stored;
  const key = await keyOf(engine, stored, name);
  const rows = await engine.query(
    "select variable, content from parameter_set_content where experiment = $1 and name_key = $2",
    [id, key],
  );
  const values = new Map<string, Value>();
  for (const row of recordsOf(rows)) {
    const variable = experiment.variables[variableIds.indexOf(Number(row.get("variable")))];
    const value = row.get("content");
    if (variable !== undefined)
      values.set(variable.name, typeof value === "string" ? parseValue(value, variable) : null);
  }
  return values;
}

/** Fails with `unknown-parameter-set`. */
export async function deleteParameterSet(engine: Engine, stored: StoredExperiment, name: string): Promise<void> {
  await dropSet(engine, stored.id, await keyOf(engine, stored, name));
}

async function keyOf(engine: Engine, stored: StoredExperiment, name: string): Promise<string> {
  const names = await listParameterSets(engine, stored);
  const found = names.find((each) => each.toLowerCase() === name.toLowerCase());
  if (found !== undefined) return found.toLowerCase();
  const near = nearest(name, names).join(", ");
  throw new Failure("unknown-parameter-set", {
    experiment: stored.experiment.name,
    set: name,
    near,
    known: names.join(", "),
  });
}

async function dropSet(engine: Engine, id: number, key: string): Promise<void> {
  for (const table of ["parameter_set", "parameter_set_content"])
    await engine.execute(`delete from ${table} where experiment = $1 and name_key = $2`, [id, key]);
}

import { Failure } from "../../core/failures/failure.ts";
import type { Experiment } from "../../core/experiments/experiment.ts";
import { nearest } from "../../core/text/name-suggestions.ts";
import { tableOf } from "../../core/tables/table-builder.ts";
import type { Value } from "../../core/values/value.ts";
import type { Variable } from "../../core/variables/variable.ts";
import type { Engine } from "../../plugins/engines/engine.ts";
import { boundValue } from "../schema/value-parameter.ts";
import {
  accessColumns,
  accessRows,
  experimentColumns,
  experimentOf,
  experimentRow,
  validColumns,
  validRows,
  variableColumns,
  variableOf,
  variableRow,
} from "./experiment-rows.ts";
import { holdRights, loggedIn, requireCreation, setServerRights } from "./rights.ts";
import { recordsOf, variablesOf, type Columns, type Row } from "../schema/result-rows.ts";
import { dropTables, makeTables } from "../schema/schema.ts";

/** An experiment as the database keeps it. Ids are numbers of ours, good for SQL names. */
export interface StoredExperiment {
  readonly id: number;
  readonly experiment: Experiment;
  /** Ids of the experiment's variables, parallel to them. */
  readonly variableIds: readonly number[];
  /** Who created it, where that is known. */
  readonly owner?: string;
  /** Over how many parts its rows are spread, on other servers; absent: they lie in one place. */
  readonly parts?: number;
}

/**
 * Fresh ids for an experiment and its variables; within the transaction that makes it. On a server its owner is who
 * logged in, whoever is told. Fails with `right-missing` where the user may make none.
 */
export async function withIds(engine: Engine, experiment: Experiment, told?: string): Promise<StoredExperiment> {
  await requireCreation(engine);
  await holdRights(engine);
  const id = await nextId(engine, "experiment_ids");
  const variableIds: number[] = [];
  for (const _ of experiment.variables) variableIds.push(await nextId(engine, "variable_ids"));
  const owner = (await loggedIn(engine)) ?? told;
  return { id, experiment, variableIds, ...(owner === undefined ? {} : { owner }) };
}

/** Within a transaction of the caller. Fails with `experiment-exists`; names are compared without regard to case. */
export async function insertExperiment(engine: Engine, stored: StoredExperiment, now: number): Promise<void> {
  const { id, experiment, variableIds, owner } = stored;
  await refuseTaken(engine, experiment.name);
  await appendRows(engine, "experiment", experimentColumns, [experimentRow(id, experiment, owner ?? null, now)]);
  await insertVariables(engine, stored);
  await makeTables(engine, id, experiment.variables, variableIds);
  await replaceRights(engine, stored);
}

/** Variables of an experiment. */
export async function insertVariables(
  engine: Engine,
  { id, experiment, variableIds }: StoredExperiment,
): Promise<void> {
  const { variables } = experiment;
  const valid = variables.flatMap((variable, at) => validRows(variableIds[at] as number, variable));
  await appendRows(
    engine,
    "variable",
    variableColumns,
    variables.map((variable, at) => variableRow(id, variableIds[at] as number, at, variable)),
  );
  await appendRows(engine, "valid_content", validColumns, valid);
}

/** Takes away what `insertVariables` wrote. */
export async function deleteVariables(engine: Engine, id: number): Promise<void> {
  await engine.execute("delete from valid_content where variable in (select id from variable where experiment = $1)", [
    id,
  ]);
  await engine.execute("delete from variable where experiment = $1", [id]);
}

/**
 * Those who may read, write and change the experiment are those that it names. The last that an admin can do who is no
 * more.
 */
export async function replaceRights(engine: Engine, { id, experiment }: StoredExperiment): Promise<void> {
  const rows = accessRows(id, experiment);
  if (engine.dialect === "postgres") {
    const names = rows.map(([, right, , who]) => [String(right), String(who)] as const);
    await setServerRights(engine, id, names);
    return;
  }
  await engine.execute("delete from access where experiment = $1", [id]);
  await appendRows(engine, "access", accessColumns, rows);
}

/** Fails with `experiment-exists`. */
export async function refuseTaken(engine: Engine, name: string): Promise<void> {
  // On a server others may have experiments that the user cannot see.
  const taken =
    engine.dialect === "postgres" ? "select 1 where is_taken($1)" : "select name from experiment where name_key = $1";
  if ((await engine.query(taken, [name.toLowerCase()])).length > 0)
    throw new Failure("experiment-exists", { experiment: name });
}

/** Fails with `unknown-experiment`, which lists near names. Deleted experiments are not found. */
export async function findExperiment(engine: Engine, name: string): Promise<StoredExperiment> {
  const found = await readExperiment(engine, "name_key = $1 and deleted is null", [name.toLowerCase()]);
  if (found === undefined) throw await unknownExperiment(engine, name, "deleted is null");
  return found;
}

/** The experiment that was deleted last under `name`. Fails with `unknown-experiment`. */
export async function findDeleted(engine: Engine, name: string): Promise<StoredExperiment> {
  const rows = await engine.query(
    "select id, name from experiment where deleted is not null order by deleted desc, id desc",
  );
  const row = recordsOf(rows).find((each) => String(each.get("name")).toLowerCase() === name.toLowerCase());
  if (row === undefined) throw await unknownExperiment(engine, name, "deleted is not null");
  return experimentById(engine, Number(row.get("id")));
}

/** The experiment with that id, deleted or not. Fails with `unknown-experiment`. */
export async function experimentById(engine: Engine, id: number): Promise<StoredExperiment> {
  const found = await readExperiment(engine, "id = $1", [id]);
  if (found === undefined) throw new Failure("unknown-experiment", { experiment: String(id) });
  return found;
}

/** Plain statements on one table each: engines take longer to plan a join than to answer these. */
async function readExperiment(
  engine: Engine,
  where: string,
  params: readonly Value[],
): Promise<StoredExperiment | undefined> {
  const [row] = recordsOf(await engine.query(`select * from experiment where ${where}`, params));
  if (row === undefined) return undefined;
  const id = Number(row.get("id"));
  const variables = inOrder(recordsOf(await engine.query("select * from variable where experiment = $1", [id])));
  const variableIds = variables.map((variable) => Number(variable.get("id")));
  const { contents, access } = await listsOf(engine, id, variableIds);
  const [owner, parts] = [row.get("owner"), row.get("parts")];
  const described = variables.map((variable) => variableOf(variable, contents));
  return {
    id,
    experiment: experimentOf(row, described, access),
    variableIds,
    ...(typeof owner === "string" ? { owner } : {}),
    ...(typeof parts === "number" ? { parts } : {}),
  };
}

/** The valid contents of variables, and who may do what. */
async function listsOf(
  engine: Engine,
  id: number,
  variables: readonly number[],
): Promise<{ contents: Row[]; access: Row[] }> {
  const valid =
    "select ordinal, variable, content, cast(null as varchar) as kind, cast(null as varchar) as who from valid_content";
  const rights =
    "select ordinal, cast(null as bigint), cast(null as varchar), kind, who from access where experiment = $1";
  const ids = variables.length === 0 ? "null" : variables.join(", ");
  const rows = inOrder(recordsOf(await engine.query(`${valid} where variable in (${ids}) union all ${rights}`, [id])));
  return {
    contents: rows.filter((row) => row.get("variable") !== null),
    access: rows.filter((row) => row.get("variable") === null),
  };
}

function inOrder(rows: readonly Row[]): Row[] {
  return [...rows].sort((a, b) => Number(a.get("ordinal")) - Number(b.get("ordinal")));
}

async function unknownExperiment(engine: Engine, name: string, among: string): Promise<Failure> {
  const found = await engine.query(`select name from experiment where ${among} order by name`);
  const names = recordsOf(found).map((row) => String(row.get("name")));
  return new Failure("unknown-experiment", { experiment: name, near: nearest(name, names).join(", ") });
}

/** Removes an experiment with all it has, for good; within a transaction of the caller. */
export async function dropExperiment(engine: Engine, id: number): Promise<void> {
  if (engine.dialect === "postgres") {
    await engine.execute("select drop_experiment($1)", [id]);
    return;
  }
  for (const statement of dropTables(id)) await engine.execute(statement);
  await deleteVariables(engine, id);
  for (const table of ["access", "source", "claim", "run", "attachment", "parameter_set", "parameter_set_content"])
    await engine.execute(`delete from ${table} where experiment = $1`, [id]);
  await engine.execute("delete from experiment where id = $1", [id]);
}

export async function nextId(engine: Engine, sequence: string): Promise<number> {
  const [row] = recordsOf(await engine.query(`select nextval('${sequence}') as id`));
  return Number(row?.get("id"));
}

/** Rows of the catalogue. On a server policies guard it, which COPY does not pass. */
export async function appendRows(
  engine: Engine,
  table: string,
  columns: Columns,
  rows: readonly (readonly Value[])[],
): Promise<void> {
  const variables = variablesOf(columns);
  const names = columns.map(([name]) => name);
  if (engine.dialect !== "postgres") return engine.append(table, names, tableOf(variables, rows));
  // A statement binds at most 65,535 values.
  const most = Math.floor(65_535 / columns.length);
  for (let at = 0; at < rows.length; at += most) {
    const values: Value[] = [];
    const tuples = rows
      .slice(at, at + most)
      .map((row) => `(${row.map((cell, index) => bind(engine, cell, variables[index], values)).join(", ")})`);
    await engine.execute(`insert into ${table} (${names.join(", ")}) values ${tuples.join(", ")}`, values);
  }
}

function bind(engine: Engine, cell: Value, variable: Variable | undefined, values: Value[]): string {
  if (cell === null || variable === undefined) return "null";
  const { sql, value } = boundValue(engine, cell, variable, values.length + 1);
  values.push(value);
  return sql;
}

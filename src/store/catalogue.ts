import { Failure } from "../core/errors.ts";
import type { Experiment } from "../core/experiment.ts";
import { nearest } from "../core/near-names.ts";
import { tableOf } from "../core/table-builder.ts";
import type { Value } from "../core/value.ts";
import type { Engine } from "../plugins/engines/engine.ts";
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
import { recordsOf, variablesOf, type Columns, type Row } from "./rows.ts";
import { dropExperimentTables, experimentTables } from "./schema.ts";

/** An experiment as the database keeps it. Ids are numbers of ours, good for SQL names. */
export interface StoredExperiment {
  readonly id: number;
  readonly experiment: Experiment;
  /** Ids of the experiment's variables, parallel to them. */
  readonly variableIds: readonly number[];
  /** Who created it, where that is known. */
  readonly owner?: string;
}

/** Fresh ids for an experiment and its variables. */
export async function withIds(engine: Engine, experiment: Experiment, owner?: string): Promise<StoredExperiment> {
  const id = await nextId(engine, "experiment_ids");
  const variableIds: number[] = [];
  for (const _ of experiment.variables) variableIds.push(await nextId(engine, "variable_ids"));
  return { id, experiment, variableIds, ...(owner === undefined ? {} : { owner }) };
}

/** Within a transaction of the caller. Fails with `experiment-exists`; names are compared without regard to case. */
export async function insertExperiment(engine: Engine, stored: StoredExperiment, now: number): Promise<void> {
  const { id, experiment, variableIds, owner } = stored;
  await refuseTaken(engine, experiment.name);
  await appendRows(engine, "experiment", experimentColumns, [experimentRow(id, experiment, owner ?? null, now)]);
  await insertDescription(engine, stored);
  for (const statement of experimentTables(engine, id, experiment.variables, variableIds)) await engine.execute(statement);
}

/** Variables and rights of an experiment. */
export async function insertDescription(engine: Engine, { id, experiment, variableIds }: StoredExperiment): Promise<void> {
  const { variables } = experiment;
  const valid = variables.flatMap((variable, at) => validRows(variableIds[at] as number, variable));
  await appendRows(engine, "access", accessColumns, accessRows(id, experiment));
  await appendRows(
    engine,
    "variable",
    variableColumns,
    variables.map((variable, at) => variableRow(id, variableIds[at] as number, at, variable)),
  );
  await appendRows(engine, "valid_content", validColumns, valid);
}

/** Takes away what `insertDescription` wrote. */
export async function deleteDescription(engine: Engine, id: number): Promise<void> {
  await engine.execute("delete from valid_content where variable in (select id from variable where experiment = $1)", [id]);
  for (const table of ["variable", "access"]) await engine.execute(`delete from ${table} where experiment = $1`, [id]);
}

/** Fails with `experiment-exists`. */
export async function refuseTaken(engine: Engine, name: string): Promise<void> {
  const known = await engine.query("select name from experiment where name_key = $1", [name.toLowerCase()]);
  if (known.length > 0) throw new Failure("experiment-exists", { experiment: name });
}

/** Fails with `unknown-experiment`, which lists near names. Deleted experiments are not found. */
export async function findExperiment(engine: Engine, name: string): Promise<StoredExperiment> {
  const [row] = recordsOf(await engine.query("select * from experiment where name_key = $1 and deleted is null", [name.toLowerCase()]));
  if (row === undefined) throw await unknownExperiment(engine, name, "deleted is null");
  return readExperiment(engine, row);
}

/** The experiment that was deleted last under `name`. Fails with `unknown-experiment`. */
export async function findDeleted(engine: Engine, name: string): Promise<StoredExperiment> {
  const rows = await engine.query("select * from experiment where deleted is not null order by deleted desc, id desc");
  const row = recordsOf(rows).find((each) => String(each.get("name")).toLowerCase() === name.toLowerCase());
  if (row === undefined) throw await unknownExperiment(engine, name, "deleted is not null");
  return readExperiment(engine, row);
}

/** The experiment with that id, deleted or not. Fails with `unknown-experiment`. */
export async function experimentById(engine: Engine, id: number): Promise<StoredExperiment> {
  const [row] = recordsOf(await engine.query("select * from experiment where id = $1", [id]));
  if (row === undefined) throw new Failure("unknown-experiment", { experiment: String(id) });
  return readExperiment(engine, row);
}

async function readExperiment(engine: Engine, row: Row): Promise<StoredExperiment> {
  const id = Number(row.get("id"));
  const variables = recordsOf(await engine.query("select * from variable where experiment = $1 order by ordinal", [id]));
  const contents = recordsOf(
    await engine.query(
      "select c.variable, c.content from valid_content c join variable v on v.id = c.variable where v.experiment = $1 order by c.ordinal",
      [id],
    ),
  );
  const access = recordsOf(await engine.query("select kind, who from access where experiment = $1 order by ordinal", [id]));
  const owner = row.get("owner");
  const described = variables.map((variable) => variableOf(variable, contents));
  return {
    id,
    experiment: experimentOf(row, described, access),
    variableIds: variables.map((variable) => Number(variable.get("id"))),
    ...(typeof owner === "string" ? { owner } : {}),
  };
}

async function unknownExperiment(engine: Engine, name: string, among: string): Promise<Failure> {
  const found = await engine.query(`select name from experiment where ${among} order by name`);
  const names = recordsOf(found).map((row) => String(row.get("name")));
  return new Failure("unknown-experiment", { experiment: name, near: nearest(name, names).join(", ") });
}

/** Removes an experiment with all it has, for good; within a transaction of the caller. */
export async function dropExperiment(engine: Engine, id: number): Promise<void> {
  for (const statement of dropExperimentTables(id)) await engine.execute(statement);
  await deleteDescription(engine, id);
  for (const table of ["source", "claim", "run", "attachment", "parameter_set", "parameter_set_content"])
    await engine.execute(`delete from ${table} where experiment = $1`, [id]);
  await engine.execute("delete from experiment where id = $1", [id]);
}

export async function nextId(engine: Engine, sequence: string): Promise<number> {
  const [row] = recordsOf(await engine.query(`select nextval('${sequence}') as id`));
  return Number(row?.get("id"));
}

export async function appendRows(engine: Engine, table: string, columns: Columns, rows: readonly (readonly Value[])[]): Promise<void> {
  await engine.append(
    table,
    columns.map(([name]) => name),
    tableOf(variablesOf(columns), rows),
  );
}

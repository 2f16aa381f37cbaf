import type { Digest } from "../../core/versions/index.ts";
import { isFailure, Failure } from "../../core/failures/index.ts";
import type { Engine } from "../../plugins/engines/engine.ts";
import type { Experiment } from "../../core/experiments/index.ts";
import { nearest } from "../../core/text/index.ts";
import { tableOf } from "../../core/tables/index.ts";
import type { Value } from "../../core/values/index.ts";
import { recordsOf, variablesOf, type Columns, type Row, createTables } from "../schema/index.ts";
import {
  grantsOf,
  experimentColumns,
  experimentOf,
  experimentRow,
  validColumns,
  validRows,
  variableColumns,
  variableOf,
  variableRow,
} from "./catalogue-rows.ts";
import { requireCreation } from "./rights.ts";

/** An experiment in the database. Ids are safe to use in SQL names. */
export interface StoredExperiment {
  readonly id: number;
  readonly experiment: Experiment;
  /** Ids of the experiment's variables, in the same order. */
  readonly variableIds: readonly number[];
  /** The user who created it, if known. */
  readonly owner?: string;
  /** Number of shards on other servers; absent if the experiment is not sharded. */
  readonly shards?: number;
}

/**
 * Assigns ids to a new experiment and its variables, within the transaction that creates it. On a server the session
 * user becomes its owner, regardless of `givenOwner`. Fails with `right-missing` if the user may not create
 * experiments.
 */
export async function withIds(engine: Engine, experiment: Experiment, givenOwner?: string): Promise<StoredExperiment> {
  await requireCreation(engine);
  await engine.rights.lock();
  const id = await nextId(engine, "experiment_ids");
  const variableIds: number[] = [];
  for (const _ of experiment.variables) variableIds.push(await nextId(engine, "variable_ids"));
  const owner = (await engine.rights.user()) ?? givenOwner;
  return { id, experiment, variableIds, ...(owner === undefined ? {} : { owner }) };
}

/** Within a transaction of the caller. Fails with `experiment-exists`; names are case-insensitive. */
export async function insertExperiment(engine: Engine, stored: StoredExperiment, now: number): Promise<void> {
  const { id, experiment, variableIds, owner } = stored;
  await requireFreeName(engine, experiment.name);
  await appendRows(engine, "experiment", experimentColumns, [experimentRow(id, experiment, owner ?? null, now)]);
  await insertVariables(engine, stored);
  await createTables(engine, id, experiment.variables, variableIds);
  await replaceRights(engine, stored);
}

/** Inserts the variables of an experiment. */
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

/** Deletes the rows of `insertVariables`. */
export async function deleteVariables(engine: Engine, id: number): Promise<void> {
  await engine.execute("delete from valid_content where variable in (select id from variable where experiment = $1)", [
    id,
  ]);
  await engine.execute("delete from variable where experiment = $1", [id]);
}

/** Grants exactly the rights that the experiment lists. Call it last, because the user may lose the admin right. */
export async function replaceRights(engine: Engine, { id, experiment }: StoredExperiment): Promise<void> {
  await engine.rights.replace(id, grantsOf(experiment));
}

/** Fails with `experiment-exists`. */
export async function requireFreeName(engine: Engine, name: string): Promise<void> {
  if (await engine.catalogue.isNameTaken(name.toLowerCase()))
    throw new Failure("experiment-exists", { experiment: name });
}

/** The experiment called `name`, unless it is deleted. Fails with `unknown-experiment`, which lists similar names. */
export async function findExperiment(engine: Engine, name: string): Promise<StoredExperiment> {
  const stored = await readExperiment(engine, "name_key = $1 and deleted is null", [name.toLowerCase()]);
  if (stored === undefined) throw await unknownExperiment(engine, name, "deleted is null");
  return stored;
}

/** The most recently deleted experiment called `name`. Fails with `unknown-experiment`. */
export async function findDeleted(engine: Engine, name: string): Promise<StoredExperiment> {
  const rows = await engine.query(
    "select id, name from experiment where deleted is not null order by deleted desc, id desc",
  );
  const row = recordsOf(rows).find((each) => String(each.get("name")).toLowerCase() === name.toLowerCase());
  if (row === undefined) throw await unknownExperiment(engine, name, "deleted is not null");
  return experimentById(engine, Number(row.get("id")));
}

/** The experiment with the id, even if it is deleted. Fails with `unknown-experiment`. */
export async function experimentById(engine: Engine, id: number): Promise<StoredExperiment> {
  const stored = await readExperiment(engine, "id = $1", [id]);
  if (stored === undefined) throw new Failure("unknown-experiment", { experiment: String(id) });
  return stored;
}

/** Uses one statement per table, which is faster than planning a join. Fails with `database-damaged`. */
async function readExperiment(
  engine: Engine,
  where: string,
  params: readonly Value[],
): Promise<StoredExperiment | undefined> {
  const [row] = recordsOf(await engine.query(`select * from experiment where ${where}`, params));
  if (row === undefined) return undefined;
  const id = Number(row.get("id"));
  const variables = byOrdinal(recordsOf(await engine.query("select * from variable where experiment = $1", [id])));
  const variableIds = variables.map((variable) => Number(variable.get("id")));
  const { valid, access } = await readLists(engine, id, variableIds);
  const [owner, shards] = [row.get("owner"), row.get("parts")];
  return {
    id,
    experiment: decoded(() =>
      experimentOf(
        row,
        variables.map((variable) => variableOf(variable, valid)),
        access,
      ),
    ),
    variableIds,
    ...(typeof owner === "string" ? { owner } : {}),
    ...(typeof shards === "number" ? { shards } : {}),
  };
}

/** What was written was valid: anything else is damage. */
function decoded<T>(decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    if (!(error instanceof Failure || error instanceof SyntaxError) || isFailure(error, "database-damaged"))
      throw error;
    throw new Failure("database-damaged", { reason: error.message }, error);
  }
}

/** The valid values of variables, and the access rights. */
async function readLists(
  engine: Engine,
  id: number,
  variables: readonly number[],
): Promise<{ valid: Row[]; access: Row[] }> {
  const validValues =
    "select ordinal, variable, content, cast(null as varchar) as kind, cast(null as varchar) as who from valid_content";
  const rights =
    "select ordinal, cast(null as bigint), cast(null as varchar), kind, who from access where experiment = $1";
  const ids = variables.length === 0 ? "null" : variables.join(", ");
  const rows = byOrdinal(
    recordsOf(await engine.query(`${validValues} where variable in (${ids}) union all ${rights}`, [id])),
  );
  return {
    valid: rows.filter((row) => row.get("variable") !== null),
    access: rows.filter((row) => row.get("variable") === null),
  };
}

function byOrdinal(rows: readonly Row[]): Row[] {
  return [...rows].sort((a, b) => Number(a.get("ordinal")) - Number(b.get("ordinal")));
}

async function unknownExperiment(engine: Engine, name: string, among: string): Promise<Failure> {
  const found = await engine.query(`select name from experiment where ${among} order by name`);
  const names = recordsOf(found).map((row) => String(row.get("name")));
  return new Failure("unknown-experiment", { experiment: name, near: nearest(name, names).join(", ") });
}

export async function nextId(engine: Engine, sequence: string): Promise<number> {
  const [id] = await nextIds(engine, sequence, 1);
  return id as number;
}

/** The next `count` ids, ascending. */
export async function nextIds(engine: Engine, sequence: string, count: number): Promise<number[]> {
  const rows =
    count === 1
      ? await engine.query(`select nextval('${sequence}') as id`)
      : await engine.query(`select nextval('${sequence}') as id from generate_series(1, ${count})`);
  return recordsOf(rows)
    .map((row) => Number(row.get("id")))
    .toSorted((a, b) => a - b);
}

/** Appends rows to a table of the catalogue. */
export async function appendRows(
  { catalogue }: Engine,
  table: string,
  columns: Columns,
  rows: readonly (readonly Value[])[],
): Promise<void> {
  const names = columns.map(([name]) => name);
  await catalogue.append(table, names, tableOf(variablesOf(columns), rows));
}

/** Minimum number of uid digits in a unique name; more if the name is taken, too. */
const minDigits = 7;
/** Names have at most 128 characters. */
const maxStemLength = 80;

/** `name`, or a variant with digits of `uid` if another experiment has that name. `current`: its present name. */
export async function uniqueName(engine: Engine, name: string, uid: Digest, current?: string): Promise<string> {
  let unique = name;
  for (let digits = minDigits; !(await isFree(engine, unique, current)); digits++)
    unique = `${name.slice(0, maxStemLength)}-${uid.slice(0, digits)}`;
  return unique;
}

async function isFree(engine: Engine, name: string, current: string | undefined): Promise<boolean> {
  if (name.toLowerCase() === current?.toLowerCase()) return true;
  try {
    await requireFreeName(engine, name);
    return true;
  } catch (error) {
    if (isFailure(error, "experiment-exists")) return false;
    throw error;
  }
}

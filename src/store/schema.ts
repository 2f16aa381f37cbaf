import { Failure } from "../core/errors.ts";
import type { Variable } from "../core/variable.ts";
import type { Engine } from "../plugins/engines/engine.ts";

/**
 * The layout of the experiment database. Names of users are contents of catalogue rows and never SQL identifiers; besides the catalogue
 * each experiment N has two tables with one column p_V per variable V: once_N with a row per run, and data_N with a row per data set.
 */
const migrations: readonly (readonly string[])[] = [
  [
    "create sequence experiment_ids",
    "create sequence variable_ids",
    `create table experiment (
      id bigint not null primary key, name varchar not null, name_key varchar not null unique,
      synopsis varchar, description varchar, performed_by varchar, organization varchar, project varchar,
      database_host varchar, database_port bigint, database_name varchar,
      created timestamp not null, modified timestamp not null)`,
    "create table access (experiment bigint not null, kind varchar not null, ordinal bigint not null, who varchar not null)",
    `create table variable (
      id bigint not null primary key, experiment bigint not null, ordinal bigint not null, name varchar not null,
      role varchar not null, occurrence varchar not null, type varchar not null, size bigint, unit varchar,
      fallback varchar not null, default_content varchar, synopsis varchar, description varchar, better varchar)`,
    "create table valid_content (variable bigint not null, ordinal bigint not null, content varchar not null)",
    `create table run (
      experiment bigint not null, number bigint not null, version varchar, dirty boolean,
      created timestamp not null, performed timestamp not null, performer varchar, label varchar, synopsis varchar,
      description varchar, data_sets bigint not null, active boolean not null, primary key (experiment, number))`,
    `create table source (
      experiment bigint not null, run bigint not null, ordinal bigint not null, path varchar not null,
      sha256 varchar not null, object varchar not null, bytes bigint not null, modified timestamp)`,
    // The files that active runs came from. Its key makes two imports of one file at the same time fail instead of both succeeding.
    "create table claim (experiment bigint not null, sha256 varchar not null, primary key (experiment, sha256))",
  ],
  [
    "alter table experiment add column database_user varchar",
    "alter table experiment add column owner varchar",
    // When it was deleted; its name is free then, and `experiment undelete` brings it back.
    "alter table experiment add column deleted timestamp",
    "alter table variable add column longest bigint",
    "alter table variable add column is_numeric boolean",
    // Several inputs of one run have a description each; where it lacks, the run's holds.
    "alter table source add column description varchar",
    `create table attachment (
      experiment bigint not null, name varchar not null, name_key varchar not null, kind varchar not null, synopsis varchar,
      file varchar, object varchar not null, creator varchar, created timestamp not null, primary key (experiment, name_key))`,
    "create table parameter_set (experiment bigint not null, name varchar not null, name_key varchar not null, primary key (experiment, name_key))",
    `create table parameter_set_content (
      experiment bigint not null, name_key varchar not null, variable bigint not null, content varchar)`,
    // What changed the database, in order: the objects named here tell how to make it again.
    `create table ledger (
      number bigint not null primary key, experiment bigint not null, kind varchar not null, object varchar not null,
      created timestamp not null)`,
    // One row: which database this is, and its last entry. Writers of a shared database queue up at it.
    "create table ledger_head (database varchar not null, number bigint not null, object varchar)",
    "insert into ledger_head (database, number, object) select cast(gen_random_uuid() as varchar), 0, null",
  ],
];

export const newestLayout = migrations.length;

/** Brings the database to the newest layout, or to layout `wanted` of old. For engines opened to write. */
export async function migrate(engine: Engine, wanted: number = newestLayout): Promise<void> {
  if ((await layoutOf(engine)) >= wanted) return;
  await engine.exclusive(async () => {
    // Another process may have been quicker.
    const found = await layoutOf(engine);
    if (found >= wanted) return;
    if (found === 0) await engine.execute("create table schema_version (version bigint not null)");
    for (const statement of migrations.slice(found, wanted).flat()) await engine.execute(statement);
    await engine.execute("delete from schema_version");
    await engine.execute("insert into schema_version (version) values ($1)", [wanted]);
  });
}

/** 0 when there is no layout yet. Fails with `database-newer` when this program does not know it. */
export async function layoutOf(engine: Engine): Promise<number> {
  const present = await engine.query(
    "select table_name from information_schema.tables where table_name = 'schema_version' and table_schema = current_schema()",
  );
  if (present.length === 0) return 0;
  const { columns } = await engine.query("select version from schema_version");
  const found = columns[0]?.kind === "number" ? (columns[0].values[0] ?? 0) : 0;
  if (found > migrations.length) throw new Failure("database-newer", { found, known: migrations.length });
  return found;
}

/** SQL names of an experiment's own tables; `id` is a number of ours. */
export const onceTable = (id: number): string => `once_${id}`;
export const dataTable = (id: number): string => `data_${id}`;
export const runSequence = (id: number): string => `run_numbers_${id}`;
export const columnName = (variable: number): string => `p_${variable}`;

/** Statements that make the tables of experiment `id`, whose variables have the ids `ids`. */
export function experimentTables(engine: Engine, id: number, variables: readonly Variable[], ids: readonly number[]): string[] {
  const columns = (occurrence: Variable["occurrence"]): string =>
    variables.map((v, i) => (v.occurrence === occurrence ? `, ${columnName(ids[i] as number)} ${columnType(engine, v)}` : "")).join("");
  return [
    `create sequence ${runSequence(id)}`,
    `create table ${onceTable(id)} (run bigint not null${columns("once")})`,
    // `ordinal` is the place of the data set within its run: the order in which it was imported.
    `create table ${dataTable(id)} (run bigint not null, ordinal bigint not null${columns("multiple")})`,
  ];
}

export function dropExperimentTables(id: number): string[] {
  return [`drop table ${dataTable(id)}`, `drop table ${onceTable(id)}`, `drop sequence ${runSequence(id)}`];
}

/** The SQL type that keeps contents of a variable; durations and times of day are seconds, versions sortable texts. */
export function columnType(engine: Engine, variable: Variable): string {
  switch (variable.type) {
    case "integer":
      return "bigint";
    case "float":
    case "duration":
    case "timeofday":
      return "double precision";
    case "boolean":
      return "boolean";
    case "date":
      return "date";
    case "timestamp":
      return "timestamp";
    case "binary":
      return engine.binaryType;
    case "string":
    case "text":
    case "version":
      return "varchar";
  }
}

import { Failure } from "../../core/failures/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import type { ColumnDefinition, Engine, LayoutExtension } from "../../plugins/engines/engine.ts";

/** Statements for all engines, or a group that only some engines have. */
type Migration = readonly string[] | { readonly extension: LayoutExtension };

/**
 * The layout of the experiment database. Names given by users are values in catalogue rows, never SQL identifiers. In
 * addition to the catalogue, each experiment N has two tables with one column p_V per variable V: once_N with one row
 * per run, and data_N with the rows of all runs.
 */
const migrations: readonly Migration[] = [
  [
    "create sequence experiment_ids",
    "create sequence variable_ids",
    `create table experiment (
      id bigint not null primary key, name varchar not null, name_key varchar not null unique,
      synopsis varchar, description varchar, performed_by varchar, organization varchar, project varchar,
      database_host varchar, database_port bigint, database_name varchar,
      created timestamp not null, modified timestamp not null)`,
    `create table access (
      experiment bigint not null, kind varchar not null, ordinal bigint not null, who varchar not null)`,
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
    // The files of active runs. Its key prevents two concurrent imports of one file.
    "create table claim (experiment bigint not null, sha256 varchar not null, primary key (experiment, sha256))",
  ],
  [
    "alter table experiment add column database_user varchar",
    "alter table experiment add column owner varchar",
    // Time of deletion, which frees the name; `experiment undelete` restores the experiment.
    "alter table experiment add column deleted timestamp",
    "alter table variable add column longest bigint",
    "alter table variable add column is_numeric boolean",
    // The description of each input of a run; null for that of the run.
    "alter table source add column description varchar",
    `create table attachment (
      experiment bigint not null, name varchar not null, name_key varchar not null, kind varchar not null,
      synopsis varchar, file varchar, object varchar not null, creator varchar, created timestamp not null,
      primary key (experiment, name_key))`,
    `create table parameter_set (
      experiment bigint not null, name varchar not null, name_key varchar not null,
      primary key (experiment, name_key))`,
    `create table parameter_set_content (
      experiment bigint not null, name_key varchar not null, variable bigint not null, content varchar)`,
    // The changes of the database, in order; the objects named here allow rebuilding it.
    `create table ledger (
      number bigint not null primary key, experiment bigint not null, kind varchar not null, object varchar not null,
      created timestamp not null)`,
    // One row: the id of this database and its last entry. Writers of a shared database lock it.
    "create table ledger_head (database varchar not null, number bigint not null, object varchar)",
    "insert into ledger_head (database, number, object) select cast(gen_random_uuid() as varchar), 0, null",
  ],
  // Files rely on file permissions; servers need access control.
  { extension: "rights" },
  // The number of shards of an experiment; null if it is not sharded.
  ["alter table experiment add column parts bigint"],
  { extension: "sharding" },
  // Comments of lines of the description such as *read, as JSON.
  ["alter table experiment add column comments varchar"],
  { extension: "own-runs" },
];

export const newestLayout = migrations.length;

/** Migrates the database to the newest layout, or to layout `target`. Requires an engine opened for writing. */
export async function migrate(engine: Engine, target: number = newestLayout): Promise<void> {
  if ((await layoutOf(engine)) >= target) return;
  await engine.exclusive(async () => {
    // Another process may have migrated meanwhile.
    const layout = await layoutOf(engine);
    if (layout >= target) return;
    if (layout === 0) await engine.execute("create table schema_version (version bigint not null)");
    for (const statement of migrations.slice(layout, target).flatMap((each) => statementsFor(engine, each)))
      await engine.execute(statement);
    await engine.execute("delete from schema_version");
    await engine.execute("insert into schema_version (version) values ($1)", [target]);
  });
}

function statementsFor({ catalogue }: Engine, migration: Migration): readonly string[] {
  return "extension" in migration ? catalogue.extension(migration.extension) : migration;
}

/**
 * The layout of the database, 0 if it is empty. Fails with `database-newer` if the layout is unknown, and with
 * `database-closed` if the user has no rights in it.
 */
export async function layoutOf(engine: Engine): Promise<number> {
  if (!(await engine.catalogue.hasLayout())) return 0;
  const { columns } = await engine.query("select version from schema_version");
  const layout = columns[0]?.kind === "number" ? (columns[0].values[0] ?? 0) : 0;
  if (layout > migrations.length) throw new Failure("database-newer", { found: layout, known: migrations.length });
  return layout;
}

/** Shard `at` of a sharded table. */
export const shardTable = (table: string, at: number): string => `${table}_part_${at}`;

/** Creates the tables of experiment `id`, whose variables have the ids `ids`. */
export async function createTables(
  engine: Engine,
  id: number,
  variables: readonly Variable[],
  ids: readonly number[],
): Promise<void> {
  const columns = (occurrence: Variable["occurrence"]): ColumnDefinition[] =>
    variables.flatMap((v, i) =>
      v.occurrence === occurrence ? [[ids[i] as number, columnType(engine, v)] as const] : [],
    );
  await engine.catalogue.createTables(id, columns("once"), columns("multiple"));
}

/** The statement that adds the column of a variable, filled with nulls. */
export function columnAddition(engine: Engine, id: number, variable: Variable, column: number): string {
  return engine.catalogue.columnAddition(id, variable.occurrence, [column, columnType(engine, variable)]);
}

/** The SQL type of a variable. Durations and times of day are stored in seconds, versions as sortable text. */
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
      return engine.dialect.bytesType;
    case "string":
    case "text":
    case "version":
      return "varchar";
  }
}

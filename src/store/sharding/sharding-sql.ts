import type { StoredExperiment } from "../catalogue/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import type { Engine, ShardServer } from "../../plugins/engines/engine.ts";
import { columnName, columnType, dataTable, onceTable } from "../schema/index.ts";

/** A sharded table with its SQL columns. */
export interface ShardedTable {
  readonly name: string;
  readonly columns: readonly ShardedColumn[];
}

interface ShardedColumn {
  readonly name: string;
  readonly type: string;
}

/** The tables of an experiment. Text columns of shards sort by code point, so that data servers can compare text. */
export function shardedTables(
  engine: Engine,
  { id, experiment, variableIds }: StoredExperiment,
): readonly [once: ShardedTable, data: ShardedTable] {
  const of = (occurrence: Variable["occurrence"]): ShardedColumn[] =>
    experiment.variables.flatMap((variable, at) =>
      variable.occurrence === occurrence
        ? [{ name: columnName(variableIds[at] ?? 0), type: columnType(engine, variable) }]
        : [],
    );
  const number = (name: string): ShardedColumn => ({ name, type: "bigint not null" });
  return [
    { name: onceTable(id), columns: [number("run"), ...of("once")] },
    { name: dataTable(id), columns: [number("run"), number("ordinal"), ...of("multiple")] },
  ];
}

export const newTable = ({ name }: ShardedTable): string => `${name}_new`;
export const newShard = (table: ShardedTable, at: number): string => `${newTable(table)}_${at}`;
/** The name of a shard in use. */
export const currentShard = ({ name }: ShardedTable, at: number): string => `${name}_part_${at}`;

function namesOf({ columns }: ShardedTable): string {
  return columns.map(({ name }) => name).join(", ");
}

/** `isSharded`: as columns of shards. */
export function definitionOf({ columns }: ShardedTable, isSharded: boolean): string {
  return columns
    .map(({ name, type }) => `${name} ${type}${isSharded && type === "varchar" ? ' collate "C"' : ""}`)
    .join(", ");
}

/** A server and its name in the local PostgreSQL. */
export interface NamedServer extends ShardServer {
  readonly name: string;
  /** The schema on the server that holds shards of this database. */
  readonly schema: string;
}

/**
 * On a data server: creates the schema of the shards, and a table whose trigger runs inserted statements, because
 * `postgres_fdw` cannot send DDL.
 */
export function commandTableStatements(schema: string): string[] {
  return [
    `create schema if not exists ${schema}`,
    `create table if not exists ${schema}.command (statement text not null)`,
    `create or replace function ${schema}.obey() returns trigger language plpgsql
     as $$ begin execute new.statement; return null; end $$`,
    `create or replace trigger obeying before insert on ${schema}.command
     for each row execute function ${schema}.obey()`,
  ];
}

/**
 * Options that make servers aggregate their own rows in parallel. The cost per row exceeds the planner's estimate of a
 * remote join.
 */
const tuning = {
  async_capable: "true",
  parallel_commit: "true",
  parallel_abort: "true",
  fdw_tuple_cost: "10000",
  fetch_size: "10000",
  batch_size: "10000",
};

/** On the experiment's server: defines a data server and its login. `password` may be a placeholder for display. */
export function foreignServerStatements(
  { name, schema, options, user }: NamedServer,
  password: string,
): { readonly server: string[]; readonly login: string } {
  const optionList = [...options, ...Object.entries(tuning)]
    .map(([option, value]) => `${option} ${literal(value)}`)
    .join(", ");
  return {
    server: [
      `create server if not exists ${name} foreign data wrapper postgres_fdw options (${optionList})`,
      `alter server ${name} options (set fdw_tuple_cost ${literal(tuning.fdw_tuple_cost)})`,
      `drop user mapping if exists for public server ${name}`,
      `create foreign table if not exists command_of_${name} (statement text) server ${name}
       options (schema_name '${schema}', table_name 'command')`,
    ],
    login:
      `create user mapping for public server ${name} ` +
      `options (user ${literal(user)}, password ${literal(password)})`,
  };
}

/**
 * Creates the new, empty tables; local ones if there are no servers. `attempt` makes shard names unique per attempt.
 */
export function stagingStatements(
  id: number,
  tables: readonly ShardedTable[],
  servers: readonly NamedServer[],
  attempt: string,
): string[] {
  const partitioning = servers.length > 0 ? " partition by hash (run)" : "";
  return [
    `select drop_aside(${id}, 'new')`,
    ...tables.flatMap((table) => [
      `create table ${newTable(table)} (${definitionOf(table, servers.length > 0)})${partitioning}`,
      ...servers.flatMap(({ name, schema }, at) => {
        const remote = `${table.name}_${attempt}_${at}`;
        return [
          `select at_server('${name}', ${literal(`create table ${schema}.${remote} (${definitionOf(table, true)})`)})`,
          `create foreign table ${newShard(table, at)} (${definitionOf(table, true)}) server ${name}
           options (schema_name '${schema}', table_name '${remote}')`,
        ];
      }),
    ]),
  ];
}

/** The numbers of shards before and after; 0 for local tables. */
export interface Resharding {
  readonly from: number;
  readonly to: number;
}

/**
 * The condition on rows of shard `at`. Data servers do not know the new table: a lookup per row by `to_regclass` keeps
 * the condition from being pushed down to them.
 */
export function shardCondition(table: ShardedTable, { from, to }: Resharding, at: number): string {
  if (to === 0) return "true";
  const name = `'perfkeep.${newTable(table)}'`;
  const lookup = from === 0 ? `cast(${name} as regclass)` : `to_regclass(${name})`;
  return `satisfies_hash_partition(${lookup}, ${to}, ${at}, run)`;
}

/** The table that receives the rows of shard `at`. */
export const targetTable = (table: ShardedTable, { to }: Resharding, at: number): string =>
  to === 0 ? newTable(table) : newShard(table, at);

/** Replaces the rows of a shard. */
export function copyingStatements(table: ShardedTable, move: Resharding, at: number): string[] {
  const target = targetTable(table, move, at);
  const names = namesOf(table);
  return [
    `delete from ${target}`,
    `insert into ${target} (${names}) select ${names} from ${table.name} where ${shardCondition(table, move, at)}`,
  ];
}

/** Replaces the existing tables with the new ones. */
export function activationStatements(
  id: number,
  tables: readonly ShardedTable[],
  servers: readonly NamedServer[],
): string[] {
  const shards = servers.length;
  return [
    `select set_aside(${id})`,
    ...tables.flatMap((table) => [
      `alter table ${newTable(table)} rename to ${table.name}`,
      ...servers.flatMap((_, at) => [
        `alter foreign table ${newShard(table, at)} rename to ${currentShard(table, at)}`,
        `alter table ${table.name} attach partition ${currentShard(table, at)}
         for values with (modulus ${shards}, remainder ${at})`,
      ]),
    ]),
    ...(shards === 0
      ? [`create index ${dataTable(id)}_places on ${dataTable(id)} (run, ordinal)`]
      : [
          `select at_parts(${id}, 'multiple', 'create index on % (run, ordinal)')`,
          `select at_parts(${id}, 'once', 'create index on % (run)')`,
          ...["multiple", "once"].map((occurrence) => `select at_parts(${id}, '${occurrence}', 'analyze %')`),
        ]),
    `update experiment set parts = ${shards === 0 ? "null" : shards} where id = ${id}`,
    `select settle(roles_on(${id}), ${id})`,
  ];
}

/**
 * Citus distributes the tables, moves the rows and plans partial aggregates itself. Workers need the extension before
 * they are added, and must reach the coordinator (Citus 10 or later). No table has a constraint that would have to
 * contain the run. Completed steps are skipped.
 */
export function citusStatements(id: number, servers: readonly ShardServer[]): string[] {
  const [once, data] = [onceTable(id), dataTable(id)].map((name) => `perfkeep.${name}`);
  const address = "coalesce(host(inet_server_addr()), 'localhost'), cast(current_setting('port') as integer)";
  const isDistributed = (table: string): string =>
    `exists (select from pg_dist_partition where logicalrelid = cast('${table}' as regclass))`;
  if (servers.length === 0)
    return [
      ...[once, data].map((table) => `select undistribute_table('${table}') where ${isDistributed(table ?? "")}`),
      `select settle(roles_on(${id}), ${id})`,
    ];
  return [
    "create extension if not exists citus",
    `select citus_set_coordinator_host(${address}) where not exists (select from pg_dist_node where groupid = 0)`,
    ...servers.map(
      ({ options }) =>
        `select citus_add_node(${literal(optionOf(options, "host"))}, ${Number(optionOf(options, "port"))})`,
    ),
    `select create_distributed_table('${data}', 'run') where not ${isDistributed(data ?? "")}`,
    `select create_distributed_table('${once}', 'run', colocate_with => '${data}')
     where not ${isDistributed(once ?? "")}`,
  ];
}

/** Statements that prepare a Citus worker. */
export const citusWorkerStatements: readonly string[] = ["create extension if not exists citus"];

export function optionOf(options: ShardServer["options"], name: string): string {
  return options.find(([each]) => each === name)?.[1] ?? "";
}

/** Counts and sums of hashes over the rows of a table, independent of their order and computed on their servers. */
export function digestSql(table: ShardedTable, from: string, where: string): string {
  const columns = table.columns.filter(({ name }) => name !== "run" && name !== "ordinal");
  const seed = table.columns.some(({ name }) => name === "ordinal") ? "(run # (ordinal << 24))" : "run";
  const hashes = columns.flatMap((column, at) => {
    const hash = hashSql(column, `(${seed} # ${at + 1})`);
    return [`count(${column.name})`, `cast(sum(cast(${hash} as numeric)) as varchar)`];
  });
  const all = ["count(*)", `cast(sum(cast(hashint8extended(run, 0) as numeric)) as varchar)`, ...hashes];
  return `select ${all.map((sql, at) => `${sql} as c${at}`).join(", ")} from ${from} where ${where}`;
}

function hashSql({ name, type }: ShardedColumn, seed: string): string {
  switch (type) {
    case "bigint":
      return `hashint8extended(${name}, ${seed})`;
    case "double precision":
      return `hashfloat8extended(${name}, ${seed})`;
    case "boolean":
      return `hashint4extended(cast(${name} as integer), ${seed})`;
    case "date":
      return `hashint4extended(${name} - date '2000-01-01', ${seed})`;
    case "timestamp":
      return `timestamp_hash_extended(${name}, ${seed})`;
    case "varchar":
      return `hashtextextended(${name}, ${seed})`;
    default:
      return `hashtextextended(md5(${name}), ${seed})`;
  }
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

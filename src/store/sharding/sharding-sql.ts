import type { Variable } from "../../core/variables/variable.ts";
import type { Engine, ShardServer } from "../../plugins/engines/engine.ts";
import { columnName, columnType, dataTable, onceTable } from "../schema/schema.ts";

/** A table that is spread, with its columns in SQL. */
export interface ShardedTable {
  readonly name: string;
  readonly columns: readonly ShardedColumn[];
}

interface ShardedColumn {
  readonly name: string;
  readonly type: string;
}

/**
 * The tables of an experiment. On other servers texts sort by code point of their own accord, so that these compare
 * them for us.
 */
export function shardedTables(
  engine: Engine,
  id: number,
  variables: readonly Variable[],
  ids: readonly number[],
): readonly [once: ShardedTable, data: ShardedTable] {
  const of = (occurrence: Variable["occurrence"]): ShardedColumn[] =>
    variables.flatMap((variable, at) =>
      variable.occurrence === occurrence
        ? [{ name: columnName(ids[at] ?? 0), type: columnType(engine, variable) }]
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
/** Where rows lie that answers have. */
export const currentShard = ({ name }: ShardedTable, at: number): string => `${name}_part_${at}`;

function namesOf({ columns }: ShardedTable): string {
  return columns.map(({ name }) => name).join(", ");
}

/** `apart`: as columns of parts are. */
export function definitionOf({ columns }: ShardedTable, isSharded: boolean): string {
  return columns
    .map(({ name, type }) => `${name} ${type}${isSharded && type === "varchar" ? ' collate "C"' : ""}`)
    .join(", ");
}

/** Which server, as PostgreSQL names it here. */
export interface NamedServer extends ShardServer {
  readonly name: string;
  /** The schema there that holds parts of this database. */
  readonly schema: string;
}

/**
 * On a data server: the schema of the parts, and the table whose trigger runs what is put into it; `postgres_fdw`
 * cannot say more than INSERT.
 */
export function commandTableStatements(schema: string): string[] {
  return [
    `create schema if not exists ${schema}`,
    `create table if not exists ${schema}.command (statement text not null)`,
    `create or replace function ${schema}.obey() returns trigger language plpgsql as $$ begin execute new.statement; return null; end $$`,
    `create or replace trigger obeying before insert on ${schema}.command for each row execute function ${schema}.obey()`,
  ];
}

/**
 * What a sum over a part must not wait for: rows that could be summed up there, or servers after one another. A row
 * costs more than all pairs of runs and rows that the planner fears a join there to be.
 */
const tuning = {
  async_capable: "true",
  parallel_commit: "true",
  parallel_abort: "true",
  fdw_tuple_cost: "10000",
  fetch_size: "10000",
  batch_size: "10000",
};

/**
 * On the server of the experiment: where a data server is, and who logs in there; `password` is shown where this is
 * told.
 */
export function foreignServerStatements(
  { name, schema, options, user }: NamedServer,
  password: string,
): { readonly server: string[]; readonly login: string } {
  const written = [...options, ...Object.entries(tuning)]
    .map(([option, value]) => `${option} ${literal(value)}`)
    .join(", ");
  return {
    server: [
      `create server if not exists ${name} foreign data wrapper postgres_fdw options (${written})`,
      `alter server ${name} options (set fdw_tuple_cost ${literal(tuning.fdw_tuple_cost)})`,
      `drop user mapping if exists for public server ${name}`,
      `create foreign table if not exists command_of_${name} (statement text) server ${name} options (schema_name '${schema}', table_name 'command')`,
    ],
    login: `create user mapping for public server ${name} options (user ${literal(user)}, password ${literal(password)})`,
  };
}

/**
 * The new tables without rows: in one place where there are no servers. `mark` keeps the parts of one attempt apart
 * from those of others.
 */
export function stagingStatements(
  id: number,
  tables: readonly ShardedTable[],
  servers: readonly NamedServer[],
  mark: string,
): string[] {
  return [
    `select drop_aside(${id}, 'new')`,
    ...tables.flatMap((table) => [
      `create table ${newTable(table)} (${definitionOf(table, servers.length > 0)})${servers.length > 0 ? " partition by hash (run)" : ""}`,
      ...servers.flatMap(({ name, schema }, at) => {
        const remote = `${table.name}_${mark}_${at}`;
        return [
          `select at_server('${name}', ${literal(`create table ${schema}.${remote} (${definitionOf(table, true)})`)})`,
          `create foreign table ${newShard(table, at)} (${definitionOf(table, true)}) server ${name} options (schema_name '${schema}', table_name '${remote}')`,
        ];
      }),
    ]),
  ];
}

/** How rows go from one layout to another: from so many parts to so many, where 0 is one place. */
export interface Resharding {
  readonly from: number;
  readonly to: number;
}

/**
 * Which rows belong into part `at`; all where there is one place. The new table is known here only: what looks it up
 * anew for each row is not sent to the servers that rows come from.
 */
export function shardCondition(table: ShardedTable, { from, to }: Resharding, at: number): string {
  if (to === 0) return "true";
  const name = `'perfkeep.${newTable(table)}'`;
  return `satisfies_hash_partition(${from === 0 ? `cast(${name} as regclass)` : `to_regclass(${name})`}, ${to}, ${at}, run)`;
}

/** The table that part `at` fills. */
export const targetTable = (table: ShardedTable, { to }: Resharding, at: number): string =>
  to === 0 ? newTable(table) : newShard(table, at);

/** Copies anew what belongs into a part. */
export function copyingStatements(table: ShardedTable, move: Resharding, at: number): string[] {
  const place = targetTable(table, move, at);
  const names = namesOf(table);
  return [
    `delete from ${place}`,
    `insert into ${place} (${names}) select ${names} from ${table.name} where ${shardCondition(table, move, at)}`,
  ];
}

/** Puts the new tables in place of those that are there, which are put aside. */
export function activationStatements(
  id: number,
  tables: readonly ShardedTable[],
  servers: readonly NamedServer[],
): string[] {
  const parts = servers.length;
  return [
    `select set_aside(${id})`,
    ...tables.flatMap((table) => [
      `alter table ${newTable(table)} rename to ${table.name}`,
      ...servers.flatMap((_, at) => [
        `alter foreign table ${newShard(table, at)} rename to ${currentShard(table, at)}`,
        `alter table ${table.name} attach partition ${currentShard(table, at)} for values with (modulus ${parts}, remainder ${at})`,
      ]),
    ]),
    ...(parts === 0
      ? [`create index ${dataTable(id)}_places on ${dataTable(id)} (run, ordinal)`]
      : [
          `select at_parts(${id}, 'multiple', 'create index on % (run, ordinal)')`,
          `select at_parts(${id}, 'once', 'create index on % (run)')`,
          ...["multiple", "once"].map((occurrence) => `select at_parts(${id}, '${occurrence}', 'analyze %')`),
        ]),
    `update experiment set parts = ${parts === 0 ? "null" : parts} where id = ${id}`,
    `select settle(roles_on(${id}), ${id})`,
  ];
}

/**
 * Citus does by itself what is done here otherwise: it distributes the tables, moves the rows, and plans queries by
 * partial aggregates. Its workers have the extension before they are added, and need to reach the coordinator (Citus 10
 * and newer). No table has a constraint, so none has to contain the run. What is done already is left out.
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
    `select create_distributed_table('${once}', 'run', colocate_with => '${data}') where not ${isDistributed(once ?? "")}`,
  ];
}

/** What a worker of Citus needs before it is added. */
export const citusWorkerStatements: readonly string[] = ["create extension if not exists citus"];

export function optionOf(options: ShardServer["options"], name: string): string {
  return options.find(([each]) => each === name)?.[1] ?? "";
}

/**
 * Numbers and a sum of hashes over the rows of a table: the same for the same rows in whatever order, counted where
 * they are.
 */
export function digestSql(table: ShardedTable, from: string, where: string): string {
  const columns = table.columns.filter(({ name }) => name !== "run" && name !== "ordinal");
  const place = table.columns.some(({ name }) => name === "ordinal") ? "(run # (ordinal << 24))" : "run";
  const hashes = columns.flatMap((column, at) => {
    const hash = hashSql(column, `(${place} # ${at + 1})`);
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

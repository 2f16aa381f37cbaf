import type { RunSlice } from "../../../query/plan/index.ts";
import type { ShardConditions } from "./shard-conditions.ts";
import { dataTable, onceTable, shardTable } from "../../schema/index.ts";

/** A selection of rows of a sharded experiment. */
export interface ShardedRows {
  readonly experiment: number;
  readonly shards: number;
  /** Selects rows d (`data`) or once-values o (`runs`). */
  readonly of: "data" | "runs";
  /** Joins once-values to rows. */
  readonly isJoined: boolean;
  readonly conditions: ShardConditions;
  /** Includes deleted runs. */
  readonly deleted: boolean;
  /** Keeps only slices of the runs with matching rows, ordered by the run column `chronology`. */
  readonly slice?: {
    readonly of: readonly RunSlice[];
    readonly conditions: ShardConditions;
    readonly chronology: string;
  };
}

/** The union of one select per shard. */
export function fromShards(rows: ShardedRows, selected: string, rest: string): string {
  return unionOfShards(rows, (at) => `select ${selected} from ${tablesOf(rows, at)} ${rest}`);
}

/** Like `fromShards`, over the once-values o. A shard has all rows of a run or none. */
function fromShardRuns(rows: ShardedRows, selected: string, rest: string): string {
  return unionOfShards(rows, (at) => `select ${selected} from ${runsOf(rows, at)} ${rest}`);
}

function unionOfShards({ shards }: ShardedRows, select: (at: number) => string): string {
  return Array.from({ length: shards }, (_, at) => `(${select(at)})`).join(" union all ");
}

function tablesOf(rows: ShardedRows, at: number): string {
  const runs = runsOf(rows, at);
  if (rows.of === "runs") return runs;
  return `${shardTable(dataTable(rows.experiment), at)} d${rows.isJoined ? ` join ${runs} on o.run = d.run` : ""}`;
}

function runsOf({ experiment }: ShardedRows, at: number): string {
  return `${shardTable(onceTable(experiment), at)} o`;
}

/**
 * Always true. Without statistics of remote rows, the planner assumes one group per row and would aggregate locally;
 * for such a range it estimates few groups.
 */
const fewGroups = "count(*) between 1 and 9223372036854775807";

/** Groups by the first `count` columns. */
export function groupedBy(count: number): string {
  if (count === 0) return "";
  return ` group by ${Array.from({ length: count }, (_, at) => at + 1).join(", ")} having ${fewGroups}`;
}

/** A step of a statement, `name as materialized (sql)`. */
export interface StatementStep {
  readonly name: string;
  readonly sql: string;
}

/** Steps that select the runs; the runs of slices become conditions. */
export function runSelection(rows: ShardedRows): StatementStep[] {
  const { slice, conditions, experiment } = rows;
  if (slice === undefined) return selectedRunSteps(rows, conditions);
  const name = `${conditions.prefix}sliced`;
  const where = `where ${whereOf(slice.conditions, rows.of)}${groupedBy(1)}`;
  const sliced = { name, sql: fromShards(rows, `${slice.conditions.run} as run`, where) };
  const of = `select q.number from ${name} k join run q on q.experiment = ${experiment} and q.number = k.run`;
  for (const each of slice.of) conditions.runs.push(`r.number in (${of} ${boundsOf(each, slice.chronology)})`);
  return [...selectedRunSteps(rows, slice.conditions), sliced, ...selectedRunSteps(rows, conditions)];
}

function boundsOf({ descending, offset, limit }: RunSlice, chronology: string): string {
  const way = descending ? " desc" : "";
  const bounds = `${limit === undefined ? "" : ` limit ${limit}`}${offset === undefined ? "" : ` offset ${offset}`}`;
  return `order by q.${chronology}${way}, q.number${way}${bounds}`;
}

/**
 * Steps that select the runs from the catalogue as of the statement; a data server may already have rows of later runs.
 */
function selectedRunSteps(rows: ShardedRows, conditions: ShardConditions): StatementStep[] {
  const { experiment, deleted, of } = rows;
  const { prefix, runs, lists } = conditions;
  const own = `r.experiment = ${experiment}`;
  const selected = `select r.number from run r where ${[own, ...(deleted ? [] : ["r.active"]), ...runs].join(" and ")}`;
  return [
    ...lists.map((list, at) => ({
      name: `${prefix}list${at}`,
      sql: `select array(select r.number from run r where ${own} and (${list})) as list`,
    })),
    { name: `${prefix}chosen`, sql: runs.length > 0 ? `select array(${selected}) as list` : runRangeOf(selected) },
    ...(runs.length === 0 && of === "data" ? countingSteps(rows, prefix) : []),
  ];
}

/** The first and last selected run, and the unselected ones in between; usually none, which the count of runs shows. */
function runRangeOf(selected: string): string {
  const others = `array(select g.n from generate_series(e.first, e.last) g(n) except ${selected})`;
  const between = `case when e.last - e.first + 1 = e.count then cast('{}' as bigint[]) else ${others} end`;
  const extremes = `select min(number) as first, max(number) as last, count(*) as count from (${selected}) m`;
  return `select e.first, e.last, ${between} as others from (${extremes}) e`;
}

/** Checks that the shards have selected runs only. */
function countingSteps(rows: ShardedRows, prefix: string): StatementStep[] {
  const { range, others } = runRange(prefix, "o.run");
  const unselected = `case when ${range} then o.run = any ${others} else true end`;
  return [
    { name: `${prefix}counted`, sql: fromShardRuns(rows, "count(*) as n", `where ${unselected}`) },
    { name: `${prefix}unselected`, sql: `select sum(n) = 0 as none from ${prefix}counted` },
  ];
}

/**
 * The condition on rows in shards. It is one CASE, which is opaque to the local planner: otherwise it might estimate
 * few remaining rows and fetch them. If shards have no other runs, data servers, which plan with parameter values,
 * reduce the condition to true. Within one transaction all their results are of one snapshot.
 */
export function whereOf(conditions: ShardConditions, of: ShardedRows["of"]): string {
  const { rows, run, runs, prefix } = conditions;
  if (runs.length > 0) {
    const among = `${run} = any (cast((select list from ${prefix}chosen) as bigint[]))`;
    return [...(rows.length > 0 ? [`case when ${rows.join(" and ")} then true end`] : []), among].join(" and ");
  }
  const { range, others } = runRange(prefix, run);
  if (of === "runs") return `case when ${[...rows, range].join(" and ")} then ${run} <> all ${others} end`;
  const inRange = `when ${range} then ${run} <> all ${others} end`;
  const selected = `case when (select none from ${prefix}unselected) then true ${inRange}`;
  return rows.length === 0 ? selected : `case when ${rows.join(" and ")} then ${selected} end`;
}

/** A condition that a run is between the first and the last selected one, and the unselected ones in between. */
function runRange(prefix: string, run: string): { readonly range: string; readonly others: string } {
  return {
    range: `${run} between (select first from ${prefix}chosen) and (select last from ${prefix}chosen)`,
    others: `(cast((select others from ${prefix}chosen) as bigint[]))`,
  };
}

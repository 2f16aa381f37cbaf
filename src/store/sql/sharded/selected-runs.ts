import type { PartConditions } from "./shard-conditions.ts";
import { fromRunsOfParts, type PartedRows } from "./shard-rows.ts";

/** A step of a statement, `name as materialized (sql)`. */
export interface StatementStep {
  readonly name: string;
  readonly sql: string;
}

/**
 * Steps that say which runs are meant, as the catalogue has it at the moment of the statement: a data server may know
 * rows of later ones already.
 */
export function meantSteps(rows: PartedRows, conditions: PartConditions): StatementStep[] {
  const { experiment, deleted, of } = rows;
  const { prefix, runs, lists } = conditions;
  const own = `r.experiment = ${experiment}`;
  const meant = `select r.number from run r where ${[own, ...(deleted ? [] : ["r.active"]), ...runs].join(" and ")}`;
  return [
    ...lists.map((list, at) => ({
      name: `${prefix}list${at}`,
      sql: `select array(select r.number from run r where ${own} and (${list})) as list`,
    })),
    { name: `${prefix}chosen`, sql: runs.length > 0 ? `select array(${meant}) as list` : extentOf(meant) },
    ...(runs.length === 0 && of === "data" ? countingSteps(rows, prefix) : []),
  ];
}

/**
 * The first and the last of these runs, and those in between that are not among them: mostly none, as the number of
 * runs tells.
 */
function extentOf(meant: string): string {
  const others = `array(select g.n from generate_series(e.first, e.last) g(n) except ${meant})`;
  const between = `case when e.last - e.first + 1 = e.count then cast('{}' as bigint[]) else ${others} end`;
  const extent = `select min(number) as first, max(number) as last, count(*) as count from (${meant}) m`;
  return `select e.first, e.last, ${between} as others from (${extent}) e`;
}

/** Whether the parts have no runs but those. */
function countingSteps(rows: PartedRows, prefix: string): StatementStep[] {
  const { range, others } = extent(prefix, "o.run");
  const unmeant = `case when ${range} then o.run = any ${others} else true end`;
  return [
    { name: `${prefix}counted`, sql: fromRunsOfParts(rows, "count(*) as n", `where ${unmeant}`) },
    { name: `${prefix}unmeant`, sql: `select sum(n) = 0 as none from ${prefix}counted` },
  ];
}

/**
 * What has to hold of rows in parts, by the steps before. As one CASE, which the planner here knows nothing of:
 * otherwise it might take the rows that are left for so few that it fetches them. Where parts have no other runs than
 * those meant, data servers, which plan with contents for parameters, find that nothing is left to look at in each row;
 * all that they answer in one transaction of ours is of one moment.
 */
export function whereOf(conditions: PartConditions, of: PartedRows["of"]): string {
  const { rows, run, runs, prefix } = conditions;
  if (runs.length > 0) {
    const among = `${run} = any (cast((select list from ${prefix}chosen) as bigint[]))`;
    return [...(rows.length > 0 ? [`case when ${rows.join(" and ")} then true end`] : []), among].join(" and ");
  }
  const { range, others } = extent(prefix, run);
  if (of === "runs") return `case when ${[...rows, range].join(" and ")} then ${run} <> all ${others} end`;
  const meant = `case when (select none from ${prefix}unmeant) then true when ${range} then ${run} <> all ${others} end`;
  return rows.length === 0 ? meant : `case when ${rows.join(" and ")} then ${meant} end`;
}

/** That a run is between the first and the last of those meant, and which of these are not. */
function extent(prefix: string, run: string): { readonly range: string; readonly others: string } {
  return {
    range: `${run} between (select first from ${prefix}chosen) and (select last from ${prefix}chosen)`,
    others: `(cast((select others from ${prefix}chosen) as bigint[]))`,
  };
}

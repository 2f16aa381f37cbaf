import type { PartialAggregate } from "../aggregate-sql.ts";
import { fromShards, groupedBy, runSelection, type ShardedRows, whereOf } from "./shard-rows.ts";
import { quantileSteps } from "./sharded-quantiles.ts";

/** Groups of sharded rows. */
export interface ShardedGroups extends ShardedRows {
  /** Group keys; `ofRun`: a column of the catalogue's run r. */
  readonly keys: readonly { readonly sql: string; readonly ofRun: boolean }[];
  readonly aggregates: readonly PartialAggregate[];
  /**
   * Keys and aggregates need the range of the `finite` numbers first: `columns` are computed from `lo` and `hi` of row
   * b.
   */
  readonly range?: { readonly of: string; readonly finite: string; readonly columns: readonly string[] };
}

export interface CombinedGroups {
  /** Statements before a select, `with …`. */
  readonly before: string;
  /** `from …` and `group by …`. */
  readonly from: string;
  readonly group: string;
  readonly keys: readonly string[];
  readonly aggregates: readonly string[];
  /** Number of passes over the rows of each shard. */
  readonly passes: number;
}

/**
 * One select per shard, evaluated on its server, and the aggregation of their groups, so that only groups are
 * transferred. Steps are materialized, because the planner might otherwise read the shards differently.
 */
export function combineGroups(groups: ShardedGroups): CombinedGroups {
  return new GroupCombiner(groups).combined();
}

class GroupCombiner {
  readonly #groups: ShardedGroups;
  /** Shard columns by aggregate. */
  readonly #columns: readonly (readonly string[])[];
  readonly #steps: string[] = [];
  /** Whether shards also group by run. */
  readonly #byRun: boolean;
  #passes = 0;

  constructor(groups: ShardedGroups) {
    const { aggregates, keys } = groups;
    this.#groups = groups;
    this.#columns = aggregates.map(({ partial }, at) => partial.map((_, index) => `a${at}_${index}`));
    this.#byRun =
      keys.some(({ ofRun }) => ofRun) || aggregates.some(({ runExpression }) => runExpression !== undefined);
  }

  combined(): CombinedGroups {
    const { aggregates } = this.#groups;
    for (const { name, sql } of runSelection(this.#groups)) this.#step(name, sql, true);
    if (this.#groups.slice !== undefined) this.#passes += 1;
    this.#addRangeStep();
    const partial = aggregates.flatMap(({ partial: columns }, at) =>
      columns.map((sql, index) => `${sql} as ${this.#columns[at]?.[index]}`),
    );
    this.#step("shards", this.#selectGroups(partial), true);
    let source = "shards";
    const then = (name: string, sql: string): void => {
      this.#step(name, sql);
      source = name;
    };
    if (this.#byRun) then("known", this.#withRunColumns(source));
    const seconds = aggregates.flatMap(({ secondPass }, at) => (secondPass === undefined ? [] : [{ at, secondPass }]));
    if (seconds.length > 0) then("numbered", `select p.*, ${this.#groupNumber} as grp from ${source} p`);
    this.#addQuantileSteps(source);
    for (const { at, secondPass } of seconds)
      if ("distinct" in secondPass) this.#addDistinctSteps(at, secondPass.distinct);
    const means = this.#means();
    if (means.length > 0)
      then("centred", `select s.*, ${means.join(", ")} from ${source} s window w as (${this.#over})`);
    return {
      before: `with ${this.#steps.join(", ")}`,
      from: [`from ${source} g`, ...seconds.map(({ at }) => `left join t${at} on t${at}.grp = g.grp`)].join(" "),
      group: this.#keys.length === 0 ? "" : `group by ${this.#keys.join(", ")}`,
      keys: this.#keys,
      aggregates: aggregates.map((each, at) => each.combine(this.#columns[at] ?? [], extraColumnOf(each, at))),
      passes: this.#passes,
    };
  }

  get #keys(): string[] {
    return this.#groups.keys.map((_, at) => `k${at}`);
  }

  /** The number of the group. It is the same in every pass, because each pass has all groups. */
  get #groupNumber(): string {
    return this.#keys.length === 0 ? "1" : `dense_rank() over (order by ${this.#keys.join(", ")})`;
  }

  get #over(): string {
    return this.#keys.length === 0 ? "" : `partition by ${this.#keys.join(", ")}`;
  }

  #step(name: string, sql: string, materialized = false): void {
    this.#steps.push(`${name} as ${materialized ? "materialized " : ""}(${sql})`);
  }

  #means(): string[] {
    return this.#groups.aggregates.flatMap(({ mean }, at) =>
      mean === undefined ? [] : [`${mean(this.#columns[at] ?? [], (sql) => `sum(${sql}) over w`)} as m${at}`],
    );
  }

  /** The results of the shards with columns of the runs. */
  #withRunColumns(source: string): string {
    const { experiment, keys, aggregates } = this.#groups;
    const runColumns = [
      ...keys.flatMap(({ sql, ofRun }, at) => (ofRun ? [`${sql} as k${at}`] : [])),
      ...aggregates.flatMap(({ runExpression }, at) =>
        runExpression === undefined ? [] : [`${runExpression} as x${at}`],
      ),
    ];
    const join = `join run r on r.experiment = ${experiment} and r.number = p.run`;
    return `select ${["p.*", ...runColumns].join(", ")} from ${source} p ${join}`;
  }

  #addQuantileSteps(source: string): void {
    const requests = this.#groups.aggregates.flatMap(({ secondPass: second }, at) => {
      const [count = "", quantiles = ""] = this.#columns[at] ?? [];
      return second !== undefined && "quantile" in second ? [{ at, quantile: second.quantile, count, quantiles }] : [];
    });
    const requery = (columns: readonly string[]): string =>
      `select a.*, ${this.#groupNumber} as grp from ${this.#requery(columns)} a`;
    if (requests.length > 0) this.#steps.push(...quantileSteps(requests, { source, requery }));
  }

  #addDistinctSteps(at: number, expression: string): void {
    this.#step(`v${at}`, `select a.* from ${this.#requery([], [`${expression} as v`])} a`, true);
    const counted = `select ${this.#groupNumber} as grp, count(distinct v) as q from v${at}`;
    this.#step(`t${at}`, this.#keys.length === 0 ? counted : `${counted} group by ${this.#keys.join(", ")}`);
  }

  #requery(columns: readonly string[], by: readonly string[] = []): string {
    const groups = `(${this.#selectGroups(columns, by)})`;
    return this.#byRun ? `(${this.#withRunColumns(groups)})` : groups;
  }

  /** The range of the finite numbers, as one row `bounds`. */
  #addRangeStep(): void {
    const { range } = this.#groups;
    if (range === undefined) return;
    const extremes = ["min", "max"].map((kind) => `${kind}(${range.of}) filter (where ${range.finite})`);
    const ranges = this.#selectFromShards([`${extremes[0]} as lo`, `${extremes[1]} as hi`], []);
    this.#step(
      "bounds",
      `select ${range.columns.join(", ")} from (select min(lo) as lo, max(hi) as hi from (${ranges}) f) b`,
      true,
    );
  }

  /** The keys of the groups of each shard, and these columns. */
  #selectGroups(columns: readonly string[], by: readonly string[] = []): string {
    const { keys, conditions } = this.#groups;
    const named = keys.flatMap(({ sql, ofRun }, at) => (ofRun ? [] : [`${sql} as k${at}`]));
    const own = [...(this.#byRun ? [`${conditions.run} as run`] : []), ...named, ...by];
    // A shard returns a group even without rows; for minimum or maximum alone, the planner would fetch the
    // first rows in order.
    return this.#selectFromShards(own.length === 0 ? [...columns, "count(*) as rows"] : columns, own);
  }

  #selectFromShards(columns: readonly string[], by: readonly string[]): string {
    this.#passes += 1;
    return fromShards(
      this.#groups,
      [...by, ...columns].join(", "),
      `where ${whereOf(this.#groups.conditions, this.#groups.of)}${groupedBy(by.length)}`,
    );
  }
}

/** The `extra` column of an aggregate. */
function extraColumnOf({ secondPass, runExpression }: PartialAggregate, at: number): string {
  if (runExpression !== undefined) return `x${at}`;
  return secondPass === undefined ? `m${at}` : `t${at}.q`;
}

import type { RunSlice } from "../../../query/plan/row-summary.ts";
import { meantSteps, whereOf } from "./selected-runs.ts";
import type { PartConditions } from "./shard-conditions.ts";
import { fromParts, type PartedRows } from "./shard-rows.ts";
import type { PartialAggregate } from "./partial-aggregate-sql.ts";
import { quantileSteps } from "./sharded-quantiles.ts";

/** Groups of such rows. */
export interface PartedGroups extends PartedRows {
  /** What rows are grouped by; `ofRun`: by what is known of the run r. */
  readonly keys: readonly { readonly sql: string; readonly ofRun: boolean }[];
  readonly aggregates: readonly PartialAggregate[];
  /**
   * Keys and aggregates need the range of the numbers first: of `finite` ones the least and the greatest are `lo` and
   * `hi` of the row b that `columns` are of.
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
  /** How often the rows of each part are gone through. */
  readonly passes: number;
}

/**
 * True of every group. The planner knows nothing of the rows of other servers, and takes each for a group of its own,
 * which might as well be formed here; of such a range it thinks that few groups fulfil it.
 */
const fewGroups = "count(*) between 1 and 9223372036854775807";

/**
 * One select for each part, which is evaluated where the part is, and what makes one group of their groups: so that
 * only groups cross the wire. Materialized, or else the parts might be read in another way than asked for.
 */
export function combinedGroups(groups: PartedGroups): CombinedGroups {
  return new Combining(groups).combined();
}

class Combining {
  readonly #groups: PartedGroups;
  /** Columns of parts by aggregate. */
  readonly #columns: readonly (readonly string[])[];
  readonly #steps: string[] = [];
  /** Parts tell groups by run. */
  readonly #byRun: boolean;
  #passes = 0;

  constructor(groups: PartedGroups) {
    const { aggregates, keys } = groups;
    this.#groups = groups;
    this.#columns = aggregates.map(({ parts }, at) => parts.map((_, place) => `a${at}_${place}`));
    this.#byRun = keys.some(({ ofRun }) => ofRun) || aggregates.some(({ ofRun }) => ofRun !== undefined);
  }

  combined(): CombinedGroups {
    const { aggregates } = this.#groups;
    this.#limitRuns();
    this.#findRange();
    const partial = aggregates.flatMap(({ parts }, at) =>
      parts.map((sql, place) => `${sql} as ${this.#columns[at]?.[place]}`),
    );
    this.#step("parts", this.#asked(partial), true);
    let source = "parts";
    const then = (name: string, sql: string): void => {
      this.#step(name, sql);
      source = name;
    };
    if (this.#byRun) then("known", this.#known(source));
    const seconds = aggregates.flatMap(({ second }, at) => (second === undefined ? [] : [{ at, second }]));
    if (seconds.length > 0) then("numbered", `select p.*, ${this.#place} as place from ${source} p`);
    this.#askQuantiles(source);
    for (const { at, second } of seconds) if ("distinct" in second) this.#askDistinct(at, second.distinct);
    const means = this.#means();
    if (means.length > 0)
      then("centred", `select s.*, ${means.join(", ")} from ${source} s window w as (${this.#over})`);
    return {
      before: `with ${this.#steps.join(", ")}`,
      from: [`from ${source} g`, ...seconds.map(({ at }) => `left join t${at} on t${at}.place = g.place`)].join(" "),
      group: this.#keys.length === 0 ? "" : `group by ${this.#keys.join(", ")}`,
      keys: this.#keys,
      aggregates: aggregates.map((each, at) => each.whole(this.#columns[at] ?? [], besideOf(each, at))),
      passes: this.#passes,
    };
  }

  get #keys(): string[] {
    return this.#groups.keys.map((_, at) => `k${at}`);
  }

  /** The number of the group, the same in every pass: each has all groups. */
  get #place(): string {
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

  /** What parts say, with what is known of the runs. */
  #known(source: string): string {
    const { experiment, keys, aggregates } = this.#groups;
    const known = [
      ...keys.flatMap(({ sql, ofRun }, at) => (ofRun ? [`${sql} as k${at}`] : [])),
      ...aggregates.flatMap(({ ofRun }, at) => (ofRun === undefined ? [] : [`${ofRun} as x${at}`])),
    ];
    return `select ${["p.*", ...known].join(", ")} from ${source} p join run r on r.experiment = ${experiment} and r.number = p.run`;
  }

  #askQuantiles(source: string): void {
    const asked = this.#groups.aggregates.flatMap(({ second }, at) => {
      const [count = "", quantiles = ""] = this.#columns[at] ?? [];
      return second !== undefined && "quantile" in second ? [{ at, quantile: second.quantile, count, quantiles }] : [];
    });
    const again = (columns: readonly string[]): string =>
      `select a.*, ${this.#place} as place from ${this.#again(columns)} a`;
    if (asked.length > 0) this.#steps.push(...quantileSteps(asked, { source, again }));
  }

  #askDistinct(at: number, content: string): void {
    this.#step(`v${at}`, `select a.* from ${this.#again([], [`${content} as v`])} a`, true);
    const counted = `select ${this.#place} as place, count(distinct v) as q from v${at}`;
    this.#step(`t${at}`, this.#keys.length === 0 ? counted : `${counted} group by ${this.#keys.join(", ")}`);
  }

  #again(columns: readonly string[], by: readonly string[] = []): string {
    const asked = `(${this.#asked(columns, by)})`;
    return this.#byRun ? `(${this.#known(asked)})` : asked;
  }

  /** Where the finite numbers lie, as one row `bounds`. */
  #findRange(): void {
    const { range } = this.#groups;
    if (range === undefined) return;
    const extremes = ["min", "max"].map((kind) => `${kind}(${range.of}) filter (where ${range.finite})`);
    const found = this.#selects([`${extremes[0]} as lo`, `${extremes[1]} as hi`], [], this.#groups.conditions);
    this.#step(
      "bounds",
      `select ${range.columns.join(", ")} from (select min(lo) as lo, max(hi) as hi from (${found}) f) b`,
      true,
    );
  }

  /** What each part says of its groups: what it groups by, and these columns. */
  #asked(columns: readonly string[], by: readonly string[] = []): string {
    const { keys, conditions } = this.#groups;
    const named = keys.flatMap(({ sql, ofRun }, at) => (ofRun ? [] : [`${sql} as k${at}`]));
    const own = [...(this.#byRun ? [`${conditions.run} as run`] : []), ...named, ...by];
    // Of one group a part says something where there are no rows, too; of extremes alone the planner would fetch the
    // first rows in order.
    return this.#selects(own.length === 0 ? [...columns, "count(*) as rows"] : columns, own, conditions);
  }

  #selects(columns: readonly string[], by: readonly string[], conditions: PartConditions): string {
    this.#passes += 1;
    const group = by.length === 0 ? "" : ` group by ${by.map((_, at) => at + 1).join(", ")} having ${fewGroups}`;
    return fromParts(
      this.#groups,
      [...by, ...columns].join(", "),
      `where ${whereOf(conditions, this.#groups.of)}${group}`,
    );
  }

  #limitRuns(): void {
    const { slice, conditions, experiment } = this.#groups;
    if (slice !== undefined) {
      this.#choose(slice.conditions);
      this.#step("sliced", this.#selects([], [`${conditions.run} as run`], slice.conditions), true);
      const of = `select q.number from sliced k join run q on q.experiment = ${experiment} and q.number = k.run`;
      for (const each of slice.of) conditions.runs.push(`r.number in (${of} ${boundsOf(each, slice.chronology)})`);
    }
    this.#choose(conditions);
  }

  #choose(conditions: PartConditions): void {
    for (const { name, sql } of meantSteps(this.#groups, conditions)) this.#step(name, sql, true);
  }
}

function boundsOf({ descending, offset, limit }: RunSlice, chronology: string): string {
  const way = descending ? " desc" : "";
  const bounds = `${limit === undefined ? "" : ` limit ${limit}`}${offset === undefined ? "" : ` offset ${offset}`}`;
  return `order by q.${chronology}${way}, q.number${way}${bounds}`;
}

/** What stands beside the columns of parts. */
function besideOf({ second, ofRun }: PartialAggregate, at: number): string {
  if (ofRun !== undefined) return `x${at}`;
  return second === undefined ? `m${at}` : `t${at}.q`;
}

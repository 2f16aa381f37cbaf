import type { DataType } from "../../../core/values/index.ts";
import { double, isText } from "../bind-value.ts";

/** A quantile of values that are distributed over shards. */
export interface ShardedQuantile {
  readonly expression: string;
  /** Its 0-based position in ascending order, given the count (a `${double}`); may be fractional. */
  position(count: string): string;
  readonly isInterpolated: boolean;
  readonly isText: boolean;
}

/** An interpolated quantile (type 7) of a number. */
export function interpolated(level: number, expression: string): ShardedQuantile {
  return { expression, position: (count) => `${level} * (${count} - 1)`, isInterpolated: true, isText: false };
}

/** A quantile as in `percentile_disc`; `upper`: counted from the greatest value. */
export function ranked(fraction: number, upper: boolean, expression: string, type: DataType): ShardedQuantile {
  const rank = (count: string): string => `greatest(ceil(${fraction} * ${count}), 1)`;
  return {
    expression,
    position: (count) => (upper ? `${count} - ${rank(count)}` : `${rank(count)} - 1`),
    isInterpolated: false,
    isText: isText({ type }),
  };
}

/** Number of quantile steps per shard, from the minimum to the maximum; they bound the quantiles of all values. */
const quantilesPerShard = 32;

/** The columns of each shard in the first pass: its number of values, and its own quantiles. */
export function shardQuantiles(expression: string): [string, string] {
  const levels = Array.from({ length: quantilesPerShard + 1 }, (_, at) => at / quantilesPerShard);
  return [
    `count(${expression})`,
    `percentile_disc(cast(array[${levels.join(", ")}] as ${double}[])) within group (order by ${expression})`,
  ];
}

export interface QuantileRequest {
  /** Suffix of the names of its steps and columns. */
  readonly at: number;
  readonly quantile: ShardedQuantile;
  /** Columns of the first pass. */
  readonly count: string;
  readonly quantiles: string;
}

export interface ShardQuery {
  /** The step with the results of the first pass and the group number as `grp`. */
  readonly source: string;
  /** Queries these columns by group in all shards; rows have the group number as `grp`. */
  requery(columns: readonly string[]): string;
}

/** Steps in which `t<at>` has the quantile as `q` by group number. They share one second pass over the shards. */
export function quantileSteps(requests: readonly QuantileRequest[], { source, requery }: ShardQuery): string[] {
  const columns = requests.flatMap(({ at, quantile: { expression } }) => {
    const [least, greatest] = [`(select lo from e${at})`, `(select hi from e${at})`];
    return [
      `count(${expression}) filter (where ${expression} < ${least}) as below${at}`,
      `array_agg(${expression}) filter (where ${expression} between ${least} and ${greatest}) as near${at}`,
    ];
  });
  return [
    ...requests.flatMap((each) => boundSteps(each, source)),
    `again as materialized (${requery(columns)})`,
    ...requests.flatMap((each) => resultSteps(each)),
  ];
}

/**
 * Bounds the quantile by two values from the quantiles of the shards. In ascending order, each of these adds a number
 * of values of its shard that are at most it, and a number that are less than any value above it. Shards send the
 * values between the least lower bound and the greatest upper bound of all groups.
 */
function boundSteps(
  { at, quantile: { position, isText }, count, quantiles }: QuantileRequest,
  source: string,
): string[] {
  const rank = (number: string): string => `greatest(1, ceil((${number} - 1) * p.${count} / ${quantilesPerShard}.0))`;
  const before = `case when w.number = 1 then 0 else ${rank("(w.number - 1)")} end`;
  const after = `case when w.number = ${quantilesPerShard + 1} then p.${count} + 1 else ${rank("(w.number + 1)")} end`;
  const events = [
    `select p.grp, w.v, ${rank("w.number")} - ${before} as upto, ${after} - ${rank("w.number")} as below`,
    `from ${source} p cross join lateral unnest(p.${quantiles}) with ordinality w(v, number)`,
  ].join(" ");
  // Text that is sent must not have a collation: the columns of the shards have one.
  const unsorted = isText ? ' collate "default"' : "";
  return [
    `s${at} as (select grp, ${position(`cast(sum(${count}) as ${double})`)} as pos from ${source} group by grp)`,
    `c${at} as (select grp, v, sum(upto) as upto, sum(below) as below from (${events}) x group by grp, v)`,
    [
      `j${at} as (select grp, v, sum(upto) over w as upto, sum(below) over w - below as below`,
      `from c${at} window w as (partition by grp order by v))`,
    ].join(" "),
    [
      `e${at} as materialized (select min(f.lo)${unsorted} as lo, max(f.hi)${unsorted} as hi from (`,
      "select max(j.v) filter (where j.below <= floor(s.pos)) as lo,",
      "min(j.v) filter (where j.upto >= ceil(s.pos) + 1) as hi",
      `from j${at} j join s${at} s on s.grp = j.grp group by j.grp) f)`,
    ].join(" "),
  ];
}

function resultSteps({ at, quantile: { isInterpolated } }: QuantileRequest): string[] {
  const first = "cast(floor(s.pos) - b.below + 1 as integer)";
  const next = `n.near[${first}] + (n.near[${first} + 1] - n.near[${first}]) * (s.pos - floor(s.pos))`;
  const value = isInterpolated
    ? `case when s.pos = floor(s.pos) then n.near[${first}] else ${next} end`
    : `n.near[${first}]`;
  return [
    `b${at} as (select grp, sum(below${at}) as below from again group by grp)`,
    [
      `n${at} as (select w.grp, array_agg(u.v order by u.v) as near`,
      `from again w cross join lateral unnest(w.near${at}) u(v) group by w.grp)`,
    ].join(" "),
    [
      `t${at} as (select s.grp, ${value} as q from s${at} s`,
      `join b${at} b on b.grp = s.grp join n${at} n on n.grp = s.grp)`,
    ].join(" "),
  ];
}

import { double } from "./bound-content.ts";

/** A quantile of type 7 of a number, which the parts of a group have each a share of. */
export interface SplitQuantile {
  readonly level: number;
  readonly number: string;
}

/** Each part tells so many of its quantiles, the least and the greatest content among them: that bounds where those of the whole are. */
const told = 32;

/** What each part says first of a group: how many numbers it has, and its own quantiles. */
export function ownQuantiles(number: string): [string, string] {
  const levels = Array.from({ length: told + 1 }, (_, at) => at / told);
  return [`count(${number})`, `percentile_disc(cast(array[${levels.join(", ")}] as ${double}[])) within group (order by ${number})`];
}

export interface QuantileStep {
  /** Names of the steps of this one end so. */
  readonly at: number;
  readonly quantile: SplitQuantile;
  /** The step that has what parts said first, with the number of the group as `place`, and its columns. */
  readonly source: string;
  readonly count: string;
  readonly quantiles: string;
  /** Asks all parts by groups again for these columns; answers rows with the number of the group as `place`. */
  again(columns: readonly string[]): string;
}

/**
 * Steps of which `t<at>` has the quantile as `q` by the number of the group. From the quantiles of its parts follows between which two
 * contents the one of a group is. What lies between the least and the greatest of these of all groups is sent, and how many contents are below.
 */
export function quantileSteps({ at, quantile: { level, number }, source, count, quantiles, again }: QuantileStep): string[] {
  const rank = `greatest(1, ceil((w.number - 1) * p.${count} / ${told}.0))`;
  const counts = [
    `coalesce(min(${rank}) filter (where w.v >= c.v) - 1, p.${count}) as below`,
    `coalesce(max(${rank}) filter (where w.v <= c.v), 0) as upto`,
  ];
  const [least, greatest] = [`(select lo from e${at})`, `(select hi from e${at})`];
  const first = "cast(floor(s.pos) - b.below + 1 as integer)";
  const next = `n.near[${first}] + (n.near[${first} + 1] - n.near[${first}]) * (s.pos - floor(s.pos))`;
  return [
    `s${at} as (select place, ${level} * cast(sum(${count}) - 1 as ${double}) as pos from ${source} group by place)`,
    `c${at} as (select distinct p.place, u.v from ${source} p cross join lateral unnest(p.${quantiles}) u(v))`,
    `j${at} as (select c.place, c.v, sum(e.below) as below, sum(e.upto) as upto from c${at} c join ${source} p on p.place = c.place cross join lateral (select ${counts.join(", ")} from unnest(p.${quantiles}) with ordinality w(v, number)) e group by c.place, c.v)`,
    `e${at} as materialized (select min(f.lo) as lo, max(f.hi) as hi from (select max(j.v) filter (where j.below <= floor(s.pos)) as lo, min(j.v) filter (where j.upto >= ceil(s.pos) + 1) as hi from j${at} j join s${at} s on s.place = j.place group by j.place) f)`,
    `w${at} as materialized (${again([`count(${number}) filter (where ${number} < ${least}) as below`, `array_agg(${number}) filter (where ${number} between ${least} and ${greatest}) as near`])})`,
    `b${at} as (select place, sum(below) as below from w${at} group by place)`,
    `n${at} as (select w.place, array_agg(u.v order by u.v) as near from w${at} w cross join lateral unnest(w.near) u(v) group by w.place)`,
    `t${at} as (select s.place, case when s.pos = floor(s.pos) then n.near[${first}] else ${next} end as q from s${at} s join b${at} b on b.place = s.place join n${at} n on n.place = s.place)`,
  ];
}

import type { DataType } from "../../../core/values/value.ts";
import { double, isText } from "../bind-value.ts";

/** A quantile of contents, of which the parts of a group have each a share. */
export interface SplitQuantile {
  readonly content: string;
  /**
   * Where it is among the contents in ascending order, from 0, by how many there are (a `${double}`); a fraction lies
   * between two numbers.
   */
  position(count: string): string;
  readonly isBetween: boolean;
  readonly isText: boolean;
}

/** Of type 7, of a number. */
export function interpolated(level: number, content: string): SplitQuantile {
  return { content, position: (count) => `${level} * (${count} - 1)`, isBetween: true, isText: false };
}

/** As `percentile_disc` has it; `upper`: from the greatest content down. */
export function ranked(fraction: number, upper: boolean, content: string, type: DataType): SplitQuantile {
  const place = (count: string): string => `greatest(ceil(${fraction} * ${count}), 1)`;
  return {
    content,
    position: (count) => (upper ? `${count} - ${place(count)}` : `${place(count)} - 1`),
    isBetween: false,
    isText: isText({ type }),
  };
}

/**
 * Each part tells so many of its quantiles, the least and the greatest content among them: that bounds where those of
 * the whole are.
 */
const told = 32;

/** What each part says first of a group: how many contents it has, and its own quantiles. */
export function ownQuantiles(content: string): [string, string] {
  const levels = Array.from({ length: told + 1 }, (_, at) => at / told);
  return [
    `count(${content})`,
    `percentile_disc(cast(array[${levels.join(", ")}] as ${double}[])) within group (order by ${content})`,
  ];
}

export interface AskedQuantile {
  /** Names of steps and columns of this one end so. */
  readonly at: number;
  readonly quantile: SplitQuantile;
  /** Columns of what parts said first. */
  readonly count: string;
  readonly quantiles: string;
}

export interface AskedParts {
  /** The step that has what parts said first, with the number of the group as `place`. */
  readonly source: string;
  /** Asks all parts by groups again for these columns; answers rows with the number of the group as `place`. */
  again(columns: readonly string[]): string;
}

/** Steps of which `t<at>` has the quantile as `q` by the number of the group; all of them ask the parts once more. */
export function quantileSteps(asked: readonly AskedQuantile[], { source, again }: AskedParts): string[] {
  const columns = asked.flatMap(({ at, quantile: { content } }) => {
    const [least, greatest] = [`(select lo from e${at})`, `(select hi from e${at})`];
    return [
      `count(${content}) filter (where ${content} < ${least}) as below${at}`,
      `array_agg(${content}) filter (where ${content} between ${least} and ${greatest}) as near${at}`,
    ];
  });
  return [
    ...asked.flatMap((each) => boundSteps(each, source)),
    `again as materialized (${again(columns)})`,
    ...asked.flatMap((each) => foundSteps(each)),
  ];
}

/**
 * Between which two contents the quantile is, from those of the parts: going up, with each of them so many more
 * contents of its part are at most it, and beyond it so many more are less. What lies between the least and the
 * greatest of these of all groups is sent.
 */
function boundSteps({ at, quantile: { position, isText }, count, quantiles }: AskedQuantile, source: string): string[] {
  const rank = (number: string): string => `greatest(1, ceil((${number} - 1) * p.${count} / ${told}.0))`;
  const before = `case when w.number = 1 then 0 else ${rank("(w.number - 1)")} end`;
  const behind = `case when w.number = ${told + 1} then p.${count} + 1 else ${rank("(w.number + 1)")} end`;
  const events = `select p.place, w.v, ${rank("w.number")} - ${before} as upto, ${behind} - ${rank("w.number")} as below from ${source} p cross join lateral unnest(p.${quantiles}) with ordinality w(v, number)`;
  // A text that is sent must not bring a way to sort: those over there bring it.
  const unsorted = isText ? ' collate "default"' : "";
  return [
    `s${at} as (select place, ${position(`cast(sum(${count}) as ${double})`)} as pos from ${source} group by place)`,
    `c${at} as (select place, v, sum(upto) as upto, sum(below) as below from (${events}) x group by place, v)`,
    `j${at} as (select place, v, sum(upto) over w as upto, sum(below) over w - below as below from c${at} window w as (partition by place order by v))`,
    `e${at} as materialized (select min(f.lo)${unsorted} as lo, max(f.hi)${unsorted} as hi from (select max(j.v) filter (where j.below <= floor(s.pos)) as lo, min(j.v) filter (where j.upto >= ceil(s.pos) + 1) as hi from j${at} j join s${at} s on s.place = j.place group by j.place) f)`,
  ];
}

function foundSteps({ at, quantile: { isBetween } }: AskedQuantile): string[] {
  const first = "cast(floor(s.pos) - b.below + 1 as integer)";
  const next = `n.near[${first}] + (n.near[${first} + 1] - n.near[${first}]) * (s.pos - floor(s.pos))`;
  const found = isBetween
    ? `case when s.pos = floor(s.pos) then n.near[${first}] else ${next} end`
    : `n.near[${first}]`;
  return [
    `b${at} as (select place, sum(below${at}) as below from again group by place)`,
    `n${at} as (select w.place, array_agg(u.v order by u.v) as near from again w cross join lateral unnest(w.near${at}) u(v) group by w.place)`,
    `t${at} as (select s.place, ${found} as q from s${at} s join b${at} b on b.place = s.place join n${at} n on n.place = s.place)`,
  ];
}

import type { DataType } from "../../core/values/value.ts";
import type { NearNumbers } from "../../query/plan/row-summary.ts";
import { aggregateSql } from "./aggregate-sql.ts";
import { double } from "./bind-value.ts";
import { finiteSql, floatSql, type Written } from "./expression-sql.ts";
import type { PartedGroups } from "./sharded/shard-groups.ts";

interface NumberedRows {
  /** `from …` and `where …`. */
  readonly from: string;
  readonly common: readonly { readonly sql: string; readonly type: DataType }[];
}

/** How near to a place, in widths, it is computed outside on which side of it a number is. */
const near = "1e-6";

/**
 * One statement for groups of near numbers; see `Summary` for its columns. Missing numbers are a group of their own.
 */
export function nearNumbersSql(numbers: NearNumbers, written: Written, { from, common }: NumberedRows): string {
  const content = floatSql(numbers.of, written);
  const { apart, start } = placesOf(numbers, written);
  const columns = [
    "null",
    "min(x)",
    "max(x)",
    ...common.flatMap(({ type }, at) => [
      ...(["min", "max"] as const).map((kind) => aggregateSql({ kind }, `m${at}`, type)),
      `count(m${at})`,
    ]),
    "count(*)",
  ];
  return [
    `with n as (select ${[`${content} as x`, ...common.map(({ sql }, at) => `${sql} as m${at}`)].join(", ")} ${from}),`,
    `b as (select min(x) as lo, max(x) as hi from n where ${finiteSql("x")}),`,
    `q as (select n.*, (n.x - ${start}) / nullif(${apart}, 0) as q from n cross join b),`,
    `k as (select q.*, case when ${isWithin("q.q")} then floor(q.q) end as k from q)`,
    `select ${columns.map((column, at) => `${column} as c${at}`).join(", ")} from k group by k, case when k is null then x end`,
  ].join(" ");
}

/** Of the row b, which has the range of the finite numbers: how far places are apart, and the first. */
function placesOf({ width, from }: NearNumbers, written: Written): { apart: string; start: string } {
  const apart = width === undefined ? "(b.hi - b.lo) / 100" : `cast(${written.bind(width)} as ${double})`;
  return { apart, start: from === "least" ? "b.lo" : `floor(b.lo / ${apart}) * ${apart}` };
}

/** Whether so many widths from the first place are within two places, and next to none. */
function isWithin(widths: string): string {
  return `${finiteSql(widths)} and abs(${widths} - round(${widths})) > ${near}`;
}

/** What groups near numbers of rows that lie in parts, where it has to be known first in what range all of them are. */
export function nearNumberKeys(
  numbers: NearNumbers,
  written: Written,
): { readonly keys: readonly [string, string]; readonly range: NonNullable<PartedGroups["range"]> } {
  const of = floatSql(numbers.of, written);
  const { apart, start } = placesOf(numbers, written);
  const widths = `((${of} - (select start from bounds)) / (select apart from bounds))`;
  return {
    keys: [
      `case when ${isWithin(widths)} then floor(${widths}) end`,
      `case when ${isWithin(widths)} then null else ${of} end`,
    ],
    range: { of, finite: finiteSql(of), columns: [`${start} as start`, `nullif(${apart}, 0) as apart`] },
  };
}

import type { DataType } from "../core/value.ts";
import type { NearNumbers } from "../query/graph/row-summary.ts";
import { aggregateSql } from "./aggregate-sql.ts";
import { double } from "./bound-content.ts";
import { finiteSql, floatSql, type Written } from "./expression-sql.ts";

interface NumberedRows {
  /** `from …` and `where …`. */
  readonly from: string;
  readonly common: readonly { readonly sql: string; readonly type: DataType }[];
}

/** How near to a place, in widths, it is computed outside on which side of it a number is. */
const near = "1e-6";

/** One statement for groups of near numbers; see `Summary` for its columns. Missing numbers are a group of their own. */
export function nearNumbersSql({ of, width, from: place }: NearNumbers, written: Written, { from, common }: NumberedRows): string {
  const content = floatSql(of, written);
  const apart = width === undefined ? "(b.hi - b.lo) / 100" : `cast(${written.bind(width)} as ${double})`;
  const start = place === "least" ? "b.lo" : `floor(b.lo / ${apart}) * ${apart}`;
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
    `k as (select q.*, case when ${finiteSql("q.q")} and abs(q.q - round(q.q)) > ${near} then floor(q.q) end as k from q)`,
    `select ${columns.map((column, at) => `${column} as c${at}`).join(", ")} from k group by k, case when k is null then x end`,
  ].join(" ");
}

import { expressionType, type LogicalPlan, type NearNumbers } from "../../query/plan/index.ts";
import { aggregateSql } from "./aggregate-sql.ts";
import { double } from "./bind-value.ts";
import { expressionSql, type ExpressionContext, finiteSql, floatSql } from "./expression-sql.ts";
import type { ShardedGroups } from "./sharded/shard-groups.ts";

/** Numbers this near to a bin boundary, in bin widths, are binned outside of the database. */
const boundaryTolerance = "1e-6";

/** A select for binned numbers x, after its steps; the outputs are aggregates. Nulls form a group of their own. */
export function binnedSql(
  { bins, outputs }: Pick<LogicalPlan, "outputs"> & { readonly bins: NearNumbers },
  from: string,
  context: ExpressionContext,
): { readonly steps: readonly string[]; readonly sql: string } {
  const inputs = [`${floatSql(bins.of, context)} as x`];
  const { width, start } = binsOf(bins, context);
  const columns = outputs.map(({ of, aggregate = { kind: "rows" } }, at) => {
    if (of !== undefined && of !== bins.of) inputs.push(`${expressionSql(of, context)} as m${at}`);
    const type = of === undefined || of === bins.of ? "float" : expressionType(of);
    const expression = of === bins.of ? "x" : `m${at}`;
    return `${aggregateSql(aggregate, { expression, type, dialect: context.dialect })} as c${at}`;
  });
  const steps = [
    `n as (select ${inputs.join(", ")} ${from})`,
    `b as (select min(x) as lo, max(x) as hi from n where ${finiteSql("x")})`,
    `q as (select n.*, (n.x - ${start}) / nullif(${width}, 0) as q from n cross join b)`,
    `k as (select q.*, case when ${isWithin("q.q")} then floor(q.q) end as k from q)`,
  ];
  return { steps, sql: `select ${columns.join(", ")} from k group by k, case when k is null then x end` };
}

/** The width and the start of the bins, from the row b, which has the range of the finite numbers. */
function binsOf({ width: given, from }: NearNumbers, context: ExpressionContext): { width: string; start: string } {
  const width = given === undefined ? "(b.hi - b.lo) / 100" : `cast(${context.bind(given)} as ${double})`;
  return { width, start: from === "least" ? "b.lo" : `floor(b.lo / ${width}) * ${width}` };
}

/** Whether a number, in widths from the start, lies within a bin and not near a boundary. */
function isWithin(widths: string): string {
  return `${finiteSql(widths)} and abs(${widths} - round(${widths})) > ${boundaryTolerance}`;
}

/** The keys that bin numbers in shards, and the range over all shards, which has to be known first. */
export function binKeys(
  numbers: NearNumbers,
  context: ExpressionContext,
): { readonly keys: readonly [string, string]; readonly range: NonNullable<ShardedGroups["range"]> } {
  const of = floatSql(numbers.of, context);
  const { width, start } = binsOf(numbers, context);
  const widths = `((${of} - (select start from bounds)) / (select width from bounds))`;
  return {
    keys: [
      `case when ${isWithin(widths)} then floor(${widths}) end`,
      `case when ${isWithin(widths)} then null else ${of} end`,
    ],
    range: { of, finite: finiteSql(of), columns: [`${start} as start`, `nullif(${width}, 0) as width`] },
  };
}

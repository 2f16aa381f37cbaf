import type { DataType } from "../core/value.ts";
import type { SummaryAggregate } from "../query/graph/row-summary.ts";
import { double } from "./bound-content.ts";
import { ownQuantiles, quantileSteps, type SplitQuantile } from "./split-quantiles.ts";

/** An aggregate of rows that lie in parts. Texts of parts sort by code point of their own accord. */
export interface PartialAggregate {
  /** What each part says of a group. */
  readonly parts: readonly string[];
  /** The mean of the whole group from columns of parts, where `whole` needs it beside each of them. */
  readonly mean?: (columns: readonly string[], sum: (sql: string) => string) => string;
  /** What comes of it for the whole group, from the columns of all parts; `mean` is the one asked for. */
  readonly whole: (columns: readonly string[], mean: string) => string;
  /** What takes a second question to the parts; then the result is beside each of the columns, as `mean`. */
  readonly quantile?: SplitQuantile;
}

/** Undefined where an aggregate of the whole cannot be told from those of the parts. */
export function partialAggregate(aggregate: SummaryAggregate, content: string, type: DataType): PartialAggregate | undefined {
  const whole = type === "boolean" ? `cast(${content} as integer)` : content;
  const number = type === "float" || type === "duration" ? content : `cast(${whole} as ${double})`;
  switch (aggregate.kind) {
    case "count":
      return partialCount(content);
    case "sum":
      return { parts: [`sum(${whole})`], whole: ([sum]) => `sum(${sum})` };
    case "min":
    case "max":
      return extreme(aggregate.kind, whole);
    case "rank":
      return aggregate.fraction === 0 ? extreme(aggregate.upper ? "max" : "min", whole) : undefined;
    case "avg":
      return { parts: [`sum(${number})`, `count(${number})`], whole: ([sum, count]) => meanOf(`sum(${sum})`, `sum(${count})`) };
    case "variance":
      return varianceOf(number, (variance) => variance);
    case "stddev":
      return varianceOf(number, (variance) => `sqrt(${variance})`);
    case "interpolated":
      return {
        parts: ownQuantiles(number),
        quantile: { level: aggregate.at, number },
        whole: (_, quantile) => `max(${quantile})`,
      };
    case "distinct":
      return undefined;
  }
}

/** `content` may be `*`. */
export function partialCount(content: string): PartialAggregate {
  return { parts: [`count(${content})`], whole: ([count]) => `cast(coalesce(sum(${count}), 0) as bigint)` };
}

function extreme(kind: "min" | "max", content: string): PartialAggregate {
  return { parts: [`${kind}(${content})`], whole: ([extremes]) => `${kind}(${extremes})` };
}

function meanOf(sum: string, count: string): string {
  return `${sum} / cast(nullif(${count}, 0) as ${double})`;
}

/**
 * Sums of squares of distances from the mean of each part, and of these means from that of all (Chan, Golub, LeVeque 1979): nothing is lost
 * where contents are far from zero. Squares too small for a float are nothing.
 */
function varianceOf(number: string, result: (variance: string) => string): PartialAggregate {
  return {
    parts: [`sum(${number})`, `count(${number})`, `var_pop(${number}) * count(${number})`],
    mean: ([total, count], sum) => meanOf(sum(total ?? ""), sum(count ?? "")),
    whole: ([total, count, squares], mean) => {
      const distance = `(${total} / nullif(${count}, 0) - ${mean})`;
      const apart = `case when abs(${distance}) < 1e-150 then 0 else ${count} * ${distance} * ${distance} end`;
      return `case when sum(${count}) > 1 then ${result(`((sum(${squares}) + sum(${apart})) / cast(sum(${count}) - 1 as ${double}))`)} end`;
    },
  };
}

/** Groups of rows that lie in parts. */
export interface PartedRows {
  readonly experiment: number;
  readonly parts: number;
  /** `from …` of part `at`. */
  from(at: number): string;
  /** What has to hold of a row, and the number of its run in SQL. */
  readonly conditions: readonly string[];
  readonly run: string;
  /** What has to hold of the run r. Nothing: all that are active count. */
  readonly runs: readonly string[];
  /** Runs that were deleted count as well. */
  readonly deleted: boolean;
  /** What rows are grouped by; `ofRun`: by what is known of the run r. */
  readonly keys: readonly { readonly sql: string; readonly ofRun: boolean }[];
  readonly aggregates: readonly PartialAggregate[];
}

export interface CombinedGroups {
  /** Statements before a select, `with …`. */
  readonly before: string;
  /** `from …` and `group by …`. */
  readonly from: string;
  readonly group: string;
  readonly keys: readonly string[];
  readonly aggregates: readonly string[];
}

/**
 * One select for each part, which is evaluated where the part is, and what makes one group of their groups: so that only groups cross the
 * wire. Materialized, or else the parts might be read in another way than asked for. Undefined for quantiles by what is known of runs.
 */
export function combinedGroups(rows: PartedRows): CombinedGroups | undefined {
  const { keys, aggregates } = rows;
  const columns = aggregates.map(({ parts }, at) => parts.map((_, place) => `a${at}_${place}`));
  const ofRun = keys.flatMap(({ sql, ofRun: of }, at) => (of ? [`${sql} as k${at}`] : []));
  const quantiles = aggregates.flatMap(({ quantile }, at) => (quantile === undefined ? [] : [{ at, quantile }]));
  if (quantiles.length > 0 && ofRun.length > 0) return undefined;
  const partial = aggregates.flatMap(({ parts }, at) => parts.map((sql, place) => `${sql} as ${columns[at]?.[place]}`));
  const steps = [...runSteps(rows), `parts as materialized (${partSelects(rows, partial)})`];
  const all = keys.map((_, at) => `k${at}`);
  let source = "parts";
  const then = (name: string, sql: string): void => {
    steps.push(`${name} as (${sql})`);
    source = name;
  };
  const place = all.length === 0 ? "1" : `dense_rank() over (order by ${all.join(", ")})`;
  if (ofRun.length > 0)
    then("known", `select p.*, ${ofRun.join(", ")} from parts p join run r on r.experiment = ${rows.experiment} and r.number = p.run`);
  if (quantiles.length > 0) then("numbered", `select p.*, ${place} as place from parts p`);
  for (const { at, quantile } of quantiles) {
    const again = (asked: readonly string[]): string => `select a.*, ${place} as place from (${partSelects(rows, asked)}) a`;
    const [count = "", own = ""] = columns[at] ?? [];
    steps.push(...quantileSteps({ at, quantile, source: "numbered", count, quantiles: own, again }));
  }
  const over = all.length === 0 ? "" : `partition by ${all.join(", ")}`;
  const means = aggregates.flatMap(({ mean }, at) =>
    mean === undefined ? [] : [`${mean(columns[at] ?? [], (sql) => `sum(${sql}) over w`)} as m${at}`],
  );
  if (means.length > 0) then("centred", `select s.*, ${means.join(", ")} from ${source} s window w as (${over})`);
  return {
    before: `with ${steps.join(", ")}`,
    from: [`from ${source} g`, ...quantiles.map(({ at }) => `left join t${at} on t${at}.place = g.place`)].join(" "),
    group: all.length === 0 ? "" : `group by ${all.join(", ")}`,
    keys: all,
    aggregates: aggregates.map(({ whole, quantile }, at) => whole(columns[at] ?? [], quantile === undefined ? `m${at}` : `t${at}.q`)),
  };
}

/** A select for each part: what it groups by, and these columns. */
function partSelects(rows: PartedRows, columns: readonly string[]): string {
  const { keys } = rows;
  const named = keys.flatMap(({ sql, ofRun }, at) => (ofRun ? [] : [`${sql} as k${at}`]));
  const own = [...(keys.some(({ ofRun }) => ofRun) ? [`${rows.run} as run`] : []), ...named];
  const group = own.length === 0 ? "" : ` group by ${own.map((_, at) => at + 1).join(", ")}`;
  const where = [...rows.conditions, ...runLimits(rows)].join(" and ");
  const selected = [...own, ...columns].join(", ");
  return Array.from({ length: rows.parts }, (_, at) => `select ${selected} ${rows.from(at)} where ${where}${group}`).join(" union all ");
}

/**
 * Runs whose import is over, as the catalogue has it at the moment of the statement: a data server may know rows of later ones already. Where
 * all are meant, those in between that are not are fewer.
 */
function runSteps({ experiment, runs, deleted }: PartedRows): string[] {
  const conditions = [`r.experiment = ${experiment}`, ...(deleted ? [] : ["r.active"]), ...runs].join(" and ");
  const meant = `meant as materialized (select r.number from run r where ${conditions})`;
  if (runs.length > 0) return [meant, "chosen as materialized (select array(select number from meant) as list)"];
  const between = "select g.n from generate_series(e.first, e.last) g(n) except select number from meant";
  return [
    meant,
    `chosen as materialized (select e.first, e.last, array(${between}) as others from (select min(number) as first, max(number) as last from meant) e)`,
  ];
}

function runLimits({ run, runs }: PartedRows): string[] {
  const list = (column: string): string => `(cast((select ${column} from chosen) as bigint[]))`;
  if (runs.length > 0) return [`${run} = any ${list("list")}`];
  return [`${run} between (select first from chosen) and (select last from chosen)`, `${run} <> all ${list("others")}`];
}

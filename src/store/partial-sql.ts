import type { DataType } from "../core/value.ts";
import type { SummaryAggregate } from "../query/graph/row-summary.ts";
import { double } from "./bound-content.ts";

/** An aggregate of rows that lie in parts. Texts of parts sort by code point of their own accord. */
export interface PartialAggregate {
  /** What each part says of a group. */
  readonly parts: readonly string[];
  /** The mean of the whole group from columns of parts, where `whole` needs it beside each of them. */
  readonly mean?: (columns: readonly string[], sum: (sql: string) => string) => string;
  /** What comes of it for the whole group, from the columns of all parts; `mean` is the one asked for. */
  readonly whole: (columns: readonly string[], mean: string) => string;
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
    case "distinct":
    case "interpolated":
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
 * wire. Materialized, or else the parts might be read in another way than asked for.
 */
export function combinedGroups(rows: PartedRows): CombinedGroups {
  const { keys, aggregates } = rows;
  const columns = aggregates.map(({ parts }, at) => parts.map((_, place) => `a${at}_${place}`));
  const named = keys.map(({ sql }, at) => `${sql} as k${at}`).filter((_, at) => keys[at]?.ofRun === false);
  const ofRun = keys.flatMap(({ sql, ofRun: of }, at) => (of ? [`${sql} as k${at}`] : []));
  const own = [...(ofRun.length > 0 ? [`${rows.run} as run`] : []), ...named];
  const partial = [...own, ...aggregates.flatMap(({ parts }, at) => parts.map((sql, place) => `${sql} as ${columns[at]?.[place]}`))];
  const group = own.length === 0 ? "" : ` group by ${own.map((_, at) => at + 1).join(", ")}`;
  const where = [...rows.conditions, ...runLimits(rows)].join(" and ");
  const selects = Array.from({ length: rows.parts }, (_, at) => `select ${partial.join(", ")} ${rows.from(at)} where ${where}${group}`);
  const steps = [...runSteps(rows), `parts as materialized (${selects.join(" union all ")})`];
  if (ofRun.length > 0)
    steps.push(
      `known as (select p.*, ${ofRun.join(", ")} from parts p join run r on r.experiment = ${rows.experiment} and r.number = p.run)`,
    );
  const source = ofRun.length > 0 ? "known" : "parts";
  const all = keys.map((_, at) => `k${at}`);
  const means = aggregates.flatMap(({ mean }, at) =>
    mean === undefined ? [] : [`${mean(columns[at] ?? [], (sql) => `sum(${sql}) over w`)} as m${at}`],
  );
  if (means.length > 0) {
    const over = all.length === 0 ? "" : `partition by ${all.join(", ")}`;
    steps.push(`centred as (select s.*, ${means.join(", ")} from ${source} s window w as (${over}))`);
  }
  return {
    before: `with ${steps.join(", ")}`,
    from: `from ${means.length > 0 ? "centred" : source} g`,
    group: all.length === 0 ? "" : `group by ${all.join(", ")}`,
    keys: all,
    aggregates: aggregates.map((aggregate, at) => aggregate.whole(columns[at] ?? [], `m${at}`)),
  };
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

import type { Value } from "../../core/values/value.ts";
import type { Variable } from "../../core/variables/variable.ts";
import type { Engine } from "../../plugins/engines/engine.ts";
import { variablesOf } from "../../query/plan/condition.ts";
import type { Output, Query } from "../../query/plan/query.ts";
import { isRunVariable, rowNumberInRun } from "../../query/plan/run-variables.ts";
import type { Statistic } from "../../query/statistics/statistic.ts";
import { collated, double, isText } from "./bind-value.ts";
import type { StoredExperiment } from "../catalogue/catalogue.ts";
import { guardedVariance, isTame } from "./overflow-safe-variance.ts";
import type { RunCheck } from "./hidden-run-check.ts";
import { QuestionTerms } from "./query-terms.ts";
import { dataTable, onceTable } from "../schema/schema.ts";

/** A statement and the contents bound to its $1, $2, …. Column i of its result is named c<i>. */
export interface Statement {
  readonly sql: string;
  readonly params: readonly Value[];
  /** How rows that lie in parts are asked; absent: they lie in one place. */
  readonly parts?: PartedStatement;
}

export interface PartedStatement {
  readonly count: number;
  /**
   * How often each part sums up its own rows for the answer; 0: rows come here as they are, those that are left by the
   * conditions.
   */
  readonly passes: number;
}

/** A statement as for rows in one place. */
export function gathered(statement: Statement, { shards: parts }: Pick<StoredExperiment, "shards">): Statement {
  return parts === undefined ? statement : { ...statement, parts: { count: parts, passes: 0 } };
}

/** What the caller knows of the data and of the database. */
export interface Knowledge {
  readonly dialect: Engine["dialect"];
  readonly check: RunCheck;
  /** Some contents are not finite or so large that a variance overflows. Keeping them apart takes twice the time. */
  readonly wild: boolean;
}

/** One statement that answers `query` from tables that lie in one place, or look so. */
export function lowerInOnePlace(query: Query, stored: StoredExperiment, knowledge: Knowledge): Statement {
  return new Lowering(query, stored, knowledge).statement();
}

class Lowering {
  readonly #query: Query;
  readonly #stored: StoredExperiment;
  readonly #knowledge: Knowledge;
  readonly #terms: QuestionTerms;

  constructor(query: Query, stored: StoredExperiment, knowledge: Knowledge) {
    this.#query = query;
    this.#stored = stored;
    this.#knowledge = knowledge;
    this.#terms = new QuestionTerms(stored, knowledge.dialect);
  }

  statement(): Statement {
    const { outputs, limit } = this.#query;
    const where = this.#where();
    const keys = outputs.filter((output) => output.statistic === undefined).map((output) => this.#content(output));
    const inner = [
      `select ${[...outputs.map((output, index) => `${this.#column(output)} as c${index}`), ...this.#quantiles()].join(", ")}`,
      `from ${this.#tables()}`,
      where,
      this.#group(keys),
    ];
    const flat = this.#quantiles().length === 0 ? inner : this.#unfolded(inner);
    const sql = [...flat, orderOf(this.#query), limit === undefined ? "" : `limit ${this.#terms.bind(limit)}`];
    return { sql: sql.filter((part) => part !== "").join(" "), params: this.#terms.params };
  }

  /** Rows come from the data sets (d); runs (r) and once values (o) join in only where they are asked for. */
  #tables(): string {
    const { id } = this.#stored;
    const used = this.#used();
    const base = this.#query.of === "data" ? `${dataTable(id)} d` : `${onceTable(id)} o`;
    const run = this.#query.of === "data" ? "d.run" : "o.run";
    const joins = [];
    if (
      this.#query.of === "data" &&
      used.some((v) => v.occurrence === "once" && v !== rowNumberInRun && !isRunVariable(v))
    ) {
      joins.push(`join ${onceTable(id)} o on o.run = d.run`);
    }
    if (used.some(isRunVariable)) joins.push(`join run r on r.experiment = ${id} and r.number = ${run}`);
    return [base, ...joins].join(" ");
  }

  #used(): Variable[] {
    return [...this.#query.outputs.flatMap((output) => output.source ?? []), ...this.#query.where.flatMap(variablesOf)];
  }

  #where(): string {
    const run = this.#query.of === "data" ? "d.run" : "o.run";
    const conditions = this.#query.where.map((condition) => this.#terms.conditions(condition));
    const { ordinals } = this.#query;
    if (ordinals)
      conditions.push(`d.ordinal between ${this.#terms.bind(ordinals.first)} and ${this.#terms.bind(ordinals.last)}`);
    conditions.push(...this.#chosen(run));
    return conditions.length === 0 ? "" : `where ${conditions.join(" and ")}`;
  }

  #chosen(run: string): string[] {
    const { check } = this.#knowledge;
    if (check === "skip") return [];
    if (check === "compare") return [`${run} in (select number from run where ${this.#runs()})`];
    return [`not exists (select 1 from run where experiment = ${this.#stored.id} and not active)`];
  }

  /** Where all data sets are one group there would be a row of none of them, too. */
  #group(keys: readonly string[]): string {
    if (!this.#query.grouped) return "";
    if (keys.length > 0) return `group by ${keys.join(", ")}`;
    return this.#knowledge.check === "none if hidden" ? "having count(*) > 0" : "";
  }

  #runs(): string {
    const { runs, versions, deleted = false } = this.#query;
    const conditions = [`experiment = ${this.#stored.id}`, ...(deleted ? [] : ["active"])];
    if (runs !== undefined) conditions.push(this.#terms.among("number", runs));
    if (versions !== undefined) conditions.push(this.#terms.among("version", versions));
    return conditions.join(" and ");
  }

  #content(output: Output): string {
    return output.source === undefined ? "null" : this.#terms.expression(output.source);
  }

  #column(output: Output): string {
    const { statistic, source } = output;
    if (statistic === undefined)
      return source !== undefined && isText(source) ? collated(this.#content(output)) : this.#content(output);
    if (source === undefined) return "count(*)";
    return this.#statistic(statistic, this.#terms.expression(source), source, output);
  }

  #statistic(statistic: Statistic, content: string, source: Variable, output: Output): string {
    const boolean = source.type === "boolean" ? `cast(${content} as integer)` : content;
    const number = source.type === "float" ? content : `cast(${boolean} as ${double})`;
    switch (statistic.kind) {
      case "count":
        return `count(${content})`;
      case "distinct":
        return `count(distinct ${content})`;
      case "min":
      case "max":
        return `${statistic.kind}(${isText(source) ? collated(content) : boolean})`;
      case "sum":
        return `sum(${boolean})`;
      case "mean":
        return `avg(${number})`;
      case "stddev":
        return this.#knowledge.wild ? guarded("stddev_samp", number) : `stddev_samp(${number})`;
      case "variance":
        return this.#knowledge.wild ? guarded("var_samp", number) : `var_samp(${number})`;
      default:
        return this.#folded(source).length > 1
          ? "null"
          : `percentile_cont(${levelOf(output)}) within group (order by ${number})`;
    }
  }

  /** Several quantiles of one variable are taken in one pass, as an array that an outer select takes apart. */
  #folded(source: Variable): Output[] {
    return this.#query.outputs.filter((output) => output.source === source && levelOf(output) !== null);
  }

  #quantiles(): string[] {
    return this.#sources().map((source) => {
      const content = this.#terms.expression(source);
      const number =
        source.type === "float"
          ? content
          : `cast(${source.type === "boolean" ? `cast(${content} as integer)` : content} as ${double})`;
      const levels = this.#folded(source).map(levelOf).join(", ");
      return `percentile_cont(cast(array[${levels}] as ${double}[])) within group (order by ${number}) as q${this.#query.outputs.findIndex((o) => o.source === source)}`;
    });
  }

  #sources(): Variable[] {
    const sources = this.#query.outputs.flatMap((output) => output.source ?? []);
    return [...new Set(sources)].filter((source) => this.#folded(source).length > 1);
  }

  #unfolded(inner: readonly string[]): string[] {
    const columns = this.#query.outputs.map((output, index) => {
      const folded = output.source === undefined || levelOf(output) === null ? [] : this.#folded(output.source);
      if (folded.length < 2) return `c${index}`;
      return `q${this.#query.outputs.findIndex((o) => o.source === output.source)}[${folded.indexOf(output) + 1}] as c${index}`;
    });
    return [`select ${columns.join(", ")} from (${inner.filter((part) => part !== "").join(" ")}) g`];
  }
}

/**
 * Groups are in order of their keys and data sets as they were imported, unless a sort says otherwise; then these break
 * ties.
 */
export function orderOf({ sort, outputs, grouped, of }: Query): string {
  const keys = grouped
    ? outputs.flatMap(({ statistic }, output) => (statistic === undefined ? [{ output, descending: false }] : []))
    : [];
  const rest = keys.filter((key) => !sort.some((each) => each.output === key.output));
  const terms = [...sort, ...rest].map(
    ({ output, descending }) => `c${output} ${descending ? "desc" : "asc"} nulls last`,
  );
  if (!grouped) terms.push(...(of === "data" ? ["d.run", "d.ordinal"] : ["o.run"]));
  return terms.length === 0 ? "" : `order by ${terms.join(", ")}`;
}

/** The level of a quantile as SQL writes it; null for other statistics. */
function levelOf({ statistic }: Output): string | null {
  if (statistic?.kind === "median") return "0.5";
  return statistic?.kind === "quantile" ? String(statistic.at) : null;
}

function guarded(aggregate: string, number: string): string {
  const tame = `case when ${isTame(number)} then ${number} end`;
  return guardedVariance(`count(${number})`, `count(${tame})`, `${aggregate}(${tame})`);
}

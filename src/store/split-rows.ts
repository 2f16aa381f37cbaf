import type { Variable } from "../core/variable.ts";
import type { Engine } from "../plugins/engines/engine.ts";
import { isAlways, variablesIn, type Predicate } from "../query/graph/predicate.ts";
import { contentsIn, expressionType, type RowExpression } from "../query/graph/row-expression.ts";
import type { RowPlan } from "../query/graph/source-plan.ts";
import { isRunVariable } from "../query/run-variables.ts";
import { collated, isText } from "./bound-content.ts";
import type { StoredExperiment } from "./catalogue.ts";
import type { Memberships } from "./condition-sql.ts";
import { combinedGroups, partialAggregate, partialCount, type PartialAggregate } from "./partial-sql.ts";
import type { Statement } from "./query-sql.ts";
import { RowTerms, runOf, usedIn } from "./row-terms.ts";
import { dataTable, onceTable, partTable } from "./schema.ts";

/** As `splitQuestion`, for groups of rows of a described query; columns are those of `summarySql`. */
export function splitRows(
  plan: RowPlan,
  stored: StoredExperiment,
  dialect: Engine["dialect"],
  memberships: Memberships,
): Statement | undefined {
  const { id, parts } = stored;
  const { summary } = plan;
  if (parts === undefined || summary === undefined || plan.joins !== undefined || plan.slice !== undefined) return undefined;
  const terms = new RowTerms(stored, dialect, memberships, true);
  const keys = summary.by === "run" ? runKeys(plan) : "of" in summary.by ? undefined : summary.by.map((of) => keyOf(of, terms));
  const aggregates = aggregatesOf(summary, terms);
  const conditions = conditionsOf(plan, terms);
  if (!keys?.every((key) => key !== undefined) || aggregates === undefined || conditions === undefined) return undefined;
  const run = runOf(plan);
  const groups = combinedGroups({
    experiment: id,
    parts,
    from: (at) => tablesOf(plan, id, at),
    run,
    deleted: false,
    keys,
    aggregates,
    ...conditions,
  });
  if (groups === undefined) return undefined;
  const [first = "null", ...others] = summary.by === "run" ? groups.keys : ["null", ...groups.keys];
  const columns = [first, ...(summary.by === "run" ? [] : others), ...groups.aggregates];
  const selected = columns.map((sql, at) => `${sql} as c${at}`).join(", ");
  const order = summary.by === "run" ? `order by ${others.join(", ")}, ${first}` : "";
  const sql = [groups.before, `select ${selected}`, groups.from, groups.group, order].filter((piece) => piece !== "").join(" ");
  return { sql, params: terms.params, parts };
}

interface Key {
  readonly sql: string;
  readonly ofRun: boolean;
}

function runKeys(plan: RowPlan): Key[] {
  return [
    { sql: runOf(plan), ofRun: false },
    { sql: `r.${plan.chronology}`, ofRun: true },
  ];
}

/** Undefined for what is partly known of runs. */
function keyOf(of: RowExpression, terms: RowTerms): Key | undefined {
  const variables = contentsIn(of).map(({ variable }) => variable);
  const ofRun = variables.some(isRunVariable);
  if (ofRun && !variables.every(isRunVariable)) return undefined;
  const sql = terms.expression(of);
  return { sql: ofRun && isText({ type: expressionType(of) }) ? collated(sql) : sql, ofRun };
}

/** The aggregates, what is common and the number of rows; undefined where one of them cannot be told from parts. */
function aggregatesOf({ columns, common }: NonNullable<RowPlan["summary"]>, terms: RowTerms): PartialAggregate[] | undefined {
  const shared = common.flatMap((variable) => {
    const of: RowExpression = { kind: "content", variable, from: 0 };
    return (["min", "max", "count"] as const).map((kind) => ({ of, aggregate: { kind } }));
  });
  const found: PartialAggregate[] = [];
  for (const { of, aggregate } of [...columns, ...shared]) {
    if (contentsIn(of).some(({ variable }) => isRunVariable(variable))) return undefined;
    const partial = partialAggregate(aggregate, terms.expression(of), expressionType(of));
    if (partial === undefined) return undefined;
    found.push(partial);
  }
  return [...found, partialCount("*")];
}

/** Undefined where a condition is partly on what is known of runs. */
function conditionsOf(plan: RowPlan, terms: RowTerms): { conditions: string[]; runs: string[] } | undefined {
  const sorted: { conditions: string[]; runs: string[] } = { conditions: [], runs: [] };
  const put = (variables: readonly Variable[], sql: (ofRuns: boolean) => string): boolean => {
    const ofRuns = variables.length > 0 && variables.every(isRunVariable);
    if (!ofRuns && variables.some(isRunVariable)) return false;
    (ofRuns ? sorted.runs : sorted.conditions).push(`(${sql(ofRuns)})`);
    return true;
  };
  const predicates = [plan.once, plan.multiple].flatMap(conjuncts);
  const limits = plan.limits ?? [];
  const areSplit =
    predicates.every((each) => put(variablesIn(each), (ofRuns) => terms.condition(each, ofRuns))) &&
    limits.every((limit) =>
      put(
        contentsIn(limit.of).map(({ variable }) => variable),
        (ofRuns) => terms.limit(limit, ofRuns),
      ),
    );
  if (!areSplit) return undefined;
  const { runs } = plan;
  if (runs !== undefined) sorted.runs.push(runs.length === 0 ? "false" : `r.number in (${runs.map(Number).join(", ")})`);
  return sorted;
}

function conjuncts(predicate: Predicate): Predicate[] {
  if (isAlways(predicate)) return [];
  return predicate.kind === "and" ? predicate.of.flatMap(conjuncts) : [predicate];
}

function tablesOf(plan: RowPlan, id: number, at: number): string {
  const once = `${partTable(onceTable(id), at)} o`;
  if (plan.of !== "data") return `from ${once}`;
  const isOnce = (variable: Variable): boolean => variable.occurrence === "once" && !isRunVariable(variable);
  const isJoined = usedIn(plan).some(isOnce) || (plan.summary?.common ?? []).some(isOnce);
  return `from ${partTable(dataTable(id), at)} d${isJoined ? ` join ${once} on o.run = d.run` : ""}`;
}

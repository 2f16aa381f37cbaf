import { formatValue, type Value } from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import type { LogicalPlan, Output } from "./logical-plan.ts";
import type { Predicate } from "./predicate.ts";
import { operandsOf, type RowExpression } from "./row-expression.ts";
import type { RowLimit } from "./row-summary.ts";

/** Longest list of values that is printed whole. */
const maxListed = 5;

/** The steps of a plan, one a line, from the source of its rows to its limit; the plans of a join are indented. */
export function planLines(plan: LogicalPlan): string[] {
  const { bins, grouped, limit, slice } = plan;
  const conditions = [...plan.where.map(predicateText), ...(plan.limits ?? []).map(limitText), ...runConditions(plan)];
  const columns = plan.outputs.map(outputText).join(", ");
  const keys = plan.outputs.filter(({ aggregate }) => aggregate === undefined).map(outputText);
  const order = orderText(plan);
  return [
    ...sourceLines(plan),
    ...(conditions.length === 0 ? [] : [`where ${conditions.join(" and ")}`]),
    ...(slice === undefined ? [] : [`slice of the runs by ${slice.by.name}`]),
    ...(bins === undefined ? [] : [`group by intervals of ${expressionText(bins.of)}`]),
    ...(grouped && keys.length > 0 ? [`group by ${keys.join(", ")}`] : []),
    `select ${columns}`,
    ...(order === "" ? [] : [`sort by ${order}`]),
    ...(limit === undefined ? [] : [`limit ${limit}`]),
  ];
}

function sourceLines({ of }: LogicalPlan): string[] {
  if (typeof of === "string") return [of === "data" ? "rows" : "runs"];
  const pairs = of.on.flat().map(({ before, own }) => `${expressionText(before)} = ${expressionText(own)}`);
  const joined = of.plans.flatMap((plan) => planLines(plan).map((line, at) => `${at === 0 ? "- " : "  "}${line}`));
  return [`join on ${pairs.join(" and ")} of`, ...joined];
}

function runConditions({ runs, versions, ordinals }: LogicalPlan): string[] {
  return [
    ...(runs === undefined ? [] : [`run in (${listed(runs.map(String))})`]),
    ...(versions === undefined ? [] : [`commit in (${listed(versions)})`]),
    ...(ordinals === undefined ? [] : [`row in run between ${ordinals.first} and ${ordinals.last}`]),
  ];
}

function orderText({ outputs, sort, order = [] }: LogicalPlan): string {
  const keys = sort.map(({ output, descending }) => ({ of: outputs[output]?.variable.name ?? "", descending }));
  const rows = order.map(({ of, descending }) => ({ of: expressionText(of), descending }));
  return [...keys, ...rows].map(({ of, descending }) => (descending ? `${of} descending` : of)).join(", ");
}

function outputText({ variable, of, aggregate }: Output): string {
  if (aggregate === undefined) return of === undefined ? variable.name : expressionText(of);
  const level = "at" in aggregate ? ` ${aggregate.at}` : "fraction" in aggregate ? ` ${aggregate.fraction}` : "";
  return of === undefined ? aggregate.kind : `${aggregate.kind}${level}(${expressionText(of)})`;
}

function limitText({ of, sign, value, absolute }: RowLimit): string {
  const expression = expressionText(of);
  return `${absolute ? `abs(${expression})` : expression} ${sign} ${String(value)}`;
}

function predicateText(predicate: Predicate): string {
  if ("of" in predicate) {
    if (predicate.of.length === 0) return predicate.kind === "and" ? "true" : "false";
    return `(${predicate.of.map(predicateText).join(` ${predicate.kind} `)})`;
  }
  const { kind, variable } = predicate;
  if ("values" in predicate) {
    const values = predicate.values.map((value) => valueText(value, variable));
    return `${variable.name} ${kind === "in" ? "in" : "not in"} (${listed(values)})`;
  }
  if ("text" in predicate) return `${variable.name} ${kind} ${JSON.stringify(predicate.text)}`;
  if (!("value" in predicate)) return `${variable.name} is ${kind === "null" ? "missing" : "not missing"}`;
  return `${variable.name} ${kind} ${valueText(predicate.value, variable)}`;
}

function valueText(value: Value, { type }: Variable): string {
  const text = formatValue(value, type);
  return typeof value === "string" ? JSON.stringify(text) : text;
}

function listed(values: readonly string[]): string {
  const more = values.length - maxListed;
  return [...values.slice(0, maxListed), ...(more > 0 ? [`… ${more} more`] : [])].join(", ");
}

function expressionText(expression: RowExpression): string {
  switch (expression.kind) {
    case "column":
      return expression.from === 0 ? expression.variable.name : `${expression.variable.name}#${expression.from + 1}`;
    case "constant":
      return String(expression.value);
    case "+":
    case "-":
    case "*":
    case "/":
    case "%":
      return `(${expressionText(expression.left)} ${expression.kind} ${expressionText(expression.right)})`;
    default:
      return `${expression.kind}(${operandsOf(expression).map(expressionText).join(", ")})`;
  }
}

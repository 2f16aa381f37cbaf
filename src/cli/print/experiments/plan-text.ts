import type { PlanStep } from "../../../commands/query/index.ts";

/** The steps of a plan in order: statements with their parameters, and steps outside of the database. */
export function planText(steps: readonly PlanStep[]): string {
  return steps
    .map((step) => ("outside" in step ? `${step.outside}: outside the database\n` : statementText(step)))
    .join("");
}

type StatementStep = Exclude<PlanStep, { readonly outside: string }>;

function statementText({ elements, statement }: StatementStep): string {
  const bound = statement.params.map(
    (value, at) => `  $${at + 1} = ${typeof value === "bigint" ? value : JSON.stringify(value)}\n`,
  );
  return `${elements.join(" > ")}: one statement${shardingText(statement)}\n  ${statement.sql}\n${bound.join("")}`;
}

function shardingText({ shards: parts }: StatementStep["statement"]): string {
  if (parts === undefined) return "";
  if (parts.passes === 0) return `, with rows from ${parts.count} shards`;
  return `, aggregated in ${parts.count} shards${parts.passes === 1 ? "" : `, in ${parts.passes} passes`}`;
}

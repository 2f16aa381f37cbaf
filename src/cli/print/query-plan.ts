import type { PlanStep } from "../../commands/explain-query.ts";

/** The steps of a plan in their order: statements with the contents bound to them below, and what is evaluated outside of the database. */
export function planText(steps: readonly PlanStep[]): string {
  return steps
    .map((step) => ("outside" in step ? `${step.outside}: outside of the database\n` : statementText(step)))
    .join("");
}

type StatementStep = Exclude<PlanStep, { readonly outside: string }>;

function statementText({ elements, statement }: StatementStep): string {
  const bound = statement.params.map(
    (content, at) => `  $${at + 1} = ${typeof content === "bigint" ? content : JSON.stringify(content)}\n`,
  );
  return `${elements.join(" > ")}: one statement${wayOf(statement)}\n  ${statement.sql}\n${bound.join("")}`;
}

function wayOf({ parts }: StatementStep["statement"]): string {
  if (parts === undefined) return "";
  if (parts.passes === 0) return `, for which rows come from ${parts.count} parts`;
  return `, summed up in ${parts.count} parts that are combined${parts.passes === 1 ? "" : `, in ${parts.passes} passes`}`;
}

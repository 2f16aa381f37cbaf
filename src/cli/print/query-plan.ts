import type { PlanStep } from "../../commands/explain-query.ts";

/** The steps of a plan in their order: statements with the contents bound to them below, and what is evaluated outside of the database. */
export function planText(steps: readonly PlanStep[]): string {
  return steps.map((step) => ("outside" in step ? `${step.outside}: outside of the database\n` : statementText(step))).join("");
}

function statementText({ elements, statement }: Exclude<PlanStep, { readonly outside: string }>): string {
  const bound = statement.params.map(
    (content, at) => `  $${at + 1} = ${typeof content === "bigint" ? content : JSON.stringify(content)}\n`,
  );
  const parts = statement.parts === undefined ? "" : `, summed up in ${statement.parts} parts that are combined`;
  return `${elements.join(" > ")}: one statement${parts}\n  ${statement.sql}\n${bound.join("")}`;
}

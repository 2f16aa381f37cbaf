import type { LogicalPlan, Output, SortKey } from "../../query/plan/index.ts";

/** Joins the parts of a statement that are not empty. */
export function clauses(parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join(" ");
}

/** Whether groups have this value as a key. */
export function isKey(output: Output | undefined): boolean {
  return output !== undefined && output.aggregate === undefined;
}

/** The requested sort keys, then the keys of groups. */
export function sortKeys({ sort, outputs, grouped, unordered }: LogicalPlan): readonly SortKey[] {
  if (!grouped || unordered === true) return sort;
  const rest = outputs.flatMap((each, output) =>
    isKey(each) && !sort.some((key) => key.output === output) ? [{ output, descending: false }] : [],
  );
  return [...sort, ...rest];
}

export function direction(expression: string, descending: boolean): string {
  return `${expression} ${descending ? "desc" : "asc"} nulls last`;
}

export function orderBy(terms: readonly string[]): string {
  return terms.length === 0 ? "" : `order by ${terms.join(", ")}`;
}

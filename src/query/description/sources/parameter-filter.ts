import {
  comparisonWords,
  type FilterCondition,
  type FilterGroup,
  type Junction,
  type ParameterElement,
} from "../../../core/experiments/index.ts";
import { Failure } from "../../../core/failures/index.ts";
import { badValue, readValue, InvalidValue } from "../../../core/values/index.ts";
import type { Variable } from "../../../core/variables/index.ts";
import { parseBound, always, isAlways, join, type Predicate } from "../../plan/index.ts";

/** The condition of all filters of a parameter. Fails with `bad-content` and others for values of another type. */
export function filterOf(
  filters: readonly FilterGroup[],
  boolean: Junction | undefined,
  variable: Variable,
): Predicate {
  const groups = filters.map((filter) => groupOf(filter, () => variable));
  return some(boolean ?? "and", groups);
}

/** The condition of the filters of a source; all must hold. */
export function sourceFilterOf(filters: readonly FilterGroup[], find: (name: string) => Variable): Predicate {
  return some(
    "and",
    filters.map((filter) => groupOf(filter, ({ of = "" }) => find(of))),
  );
}

function groupOf({ boolean, members }: FilterGroup, variableOf: (condition: FilterCondition) => Variable): Predicate {
  return some(
    boolean ?? "and",
    members.map((member) =>
      member.kind === "filter" ? groupOf(member, variableOf) : conditionOf(member, variableOf(member)),
    ),
  );
}

/** Combines conditions; `all` is always true. */
function some(boolean: Junction, parts: readonly Predicate[]): Predicate {
  if (boolean === "or" && parts.some(isAlways)) return always;
  return join(
    boolean,
    parts.filter((part) => !isAlways(part)),
  );
}

function conditionOf({ kind, value: text }: FilterCondition, variable: Variable): Predicate {
  switch (kind) {
    case "all":
      return always;
    case "null":
    case "notnull":
      return { kind, variable };
    case "contain":
    case "notcontain":
    case "regexp":
    case "notregexp":
      return { kind, variable: textual(variable, text), text };
    case "match":
      return { kind: "like", variable: textual(variable, text), text };
    case "bool":
      return { kind: "=", variable, value: truth(text, variable) };
    default:
      return {
        kind: kind === "notequal" ? "<>" : comparisonWords[kind],
        variable,
        value: parseBound(unquoted(text, variable), variable),
      };
  }
}

/** Removes SQL quotes, as in perfbase's values. */
function unquoted(text: string, { type }: Variable): string {
  return type === "integer" || type === "float" ? text : (/^'(.*)'$/s.exec(text)?.[1] ?? text);
}

function textual(variable: Variable, text: string): Variable {
  if (variable.type === "string" || variable.type === "text" || variable.type === "version") return variable;
  throw new Failure("bad-condition", {
    condition: text.slice(0, 80),
    problem: `only texts can be searched, '${variable.name}' is a ${variable.type}`,
  });
}

function truth(text: string, variable: Variable): boolean {
  const value = readValue(text, "boolean");
  if (variable.type === "boolean" && typeof value === "boolean") return value;
  const problem = value instanceof InvalidValue ? value.problem : "only booleans are true or false";
  throw badValue(text, variable, problem);
}

/** The filters of a parameter with that of a sweep. */
export function withFilters(parameter: ParameterElement, chosen: FilterGroup | undefined): readonly FilterGroup[] {
  return chosen === undefined ? parameter.filters : [...parameter.filters, chosen];
}

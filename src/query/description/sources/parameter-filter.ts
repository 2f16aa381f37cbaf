import type {
  FilterCondition,
  FilterGroup,
  Junction,
  ParameterElement,
} from "../../../core/experiments/query-description.ts";
import { Failure } from "../../../core/failures/failure.ts";
import { readValue } from "../../../core/values/value.ts";
import type { Variable } from "../../../core/variables/variable.ts";
import { InvalidValue } from "../../../core/values/invalid-value.ts";
import { parseBound } from "../../plan/parse-value.ts";
import { always, isAlways, join, type Predicate } from "../../plan/predicate.ts";

const symbols = { equal: "=", notequal: "<>", lesser: "<", lessequal: "<=", greater: ">", greaterequal: ">=" } as const;

/**
 * The condition that all filters of a parameter make together. Fails with `bad-content` and friends for contents of
 * another type.
 */
export function filterOf(
  filters: readonly FilterGroup[],
  boolean: Junction | undefined,
  variable: Variable,
): Predicate {
  const groups = filters.map((filter) => groupOf(filter, () => variable));
  return some(boolean ?? "and", groups);
}

/** The condition that the filters of a source make together, each of which has to hold. */
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

/**
 * `all` restricts nothing: among alternatives it makes the others needless, among restrictions it is needless itself.
 */
function some(boolean: Junction, parts: readonly Predicate[]): Predicate {
  if (boolean === "or" && parts.some(isAlways)) return always;
  return join(
    boolean,
    parts.filter((part) => !isAlways(part)),
  );
}

function conditionOf({ kind, value: content }: FilterCondition, variable: Variable): Predicate {
  switch (kind) {
    case "all":
      return always;
    case "null":
    case "notnull":
      return { kind, variable };
    case "contain":
    case "notcontain":
    case "regexp":
      return { kind, variable: textual(variable, content), text: content };
    case "match":
      return { kind: "like", variable: textual(variable, content), text: content };
    case "bool":
      return { kind: "=", variable, value: truth(content, variable) };
    default:
      return { kind: symbols[kind], variable, value: parseBound(unquoted(content, variable), variable) };
  }
}

/** perfbase's contents may sit in quotes of SQL. */
function unquoted(content: string, { type }: Variable): string {
  return type === "integer" || type === "float" ? content : (/^'(.*)'$/s.exec(content)?.[1] ?? content);
}

function textual(variable: Variable, content: string): Variable {
  if (variable.type === "string" || variable.type === "text" || variable.type === "version") return variable;
  throw new Failure("bad-condition", {
    condition: content.slice(0, 80),
    problem: `only texts can be searched, '${variable.name}' is a ${variable.type}`,
  });
}

function truth(content: string, variable: Variable): boolean {
  const value = readValue(content, "boolean");
  if (variable.type === "boolean" && typeof value === "boolean") return value;
  const problem = value instanceof InvalidValue ? value.problem : "only a boolean can be asked whether it is true";
  throw new Failure("bad-content", {
    value: content.slice(0, 80),
    variable: variable.name,
    type: variable.type,
    problem,
  });
}

/** The filters of a parameter, with the one that a sweep chose. */
export function withFilters(parameter: ParameterElement, chosen: FilterGroup | undefined): readonly FilterGroup[] {
  return chosen === undefined ? parameter.filters : [...parameter.filters, chosen];
}

import type { FilterCondition, FilterGroup, Junction, ParameterElement } from "../../core/query-description.ts";
import { formatUnit } from "../../core/unit.ts";
import { formatValue, readValue, type Value } from "../../core/value.ts";
import type { Variable } from "../../core/variable.ts";

const symbols: Readonly<Record<FilterCondition["kind"], string>> = {
  all: "",
  null: "is NULL",
  notnull: "is not NULL",
  lesser: "<",
  lessequal: "<=",
  greater: ">",
  greaterequal: ">=",
  equal: "=",
  notequal: "!=",
  bool: "=",
  contain: "contains",
  match: "LIKE",
  regexp: "~",
};

/** The words of a truth value by style, true first. */
const truths: Readonly<Record<string, readonly [string, string]>> = {
  true_false: ["true", "false"],
  on_off: ["on", "off"],
  yes_no: ["yes", "no"],
  enabled_disabled: ["enabled", "disabled"],
};

/** perfbase's spelling of a unit: the prefix, then the base in lower case letters, where ours has capitals. */
export function unitText(variable: Variable): string {
  return formatUnit(variable.unit).replaceAll(/FlOP|OP|Byte/g, (base) => base.toLowerCase());
}

/** What filters of a parameter say in the label line; "" when they say nothing. */
export function filterLabel(parameter: ParameterElement, filters: readonly FilterGroup[], variable: Variable): string {
  const parts = filters.map((filter) => groupLabel(parameter, filter, variable)).filter((text) => text !== "");
  return parts.join(joint(parameter.boolean));
}

function joint(boolean: Junction | undefined): string {
  return boolean === "or" ? " OR " : " AND ";
}

function groupLabel(parameter: ParameterElement, { boolean, members }: FilterGroup, variable: Variable): string {
  const parts = members.map((member) => {
    if (member.kind !== "filter") return conditionLabel(parameter, member, variable);
    const inner = groupLabel(parameter, member, variable);
    return member.members.length > 1 && members.length > 1 ? `(${inner})` : inner;
  });
  return parts.filter((text) => text !== "").join(joint(boolean));
}

function conditionLabel(parameter: ParameterElement, { kind, content }: FilterCondition, variable: Variable): string {
  if (kind === "all") return "";
  if (kind === "null" || kind === "notnull") return `${nameOf(parameter)} ${symbols[kind]}`;
  return labelOf(parameter, variable, symbols[kind], content);
}

/** What a content that all rows share says. */
export function contentLabel(parameter: ParameterElement, variable: Variable, value: Value): string {
  return value === null ? "" : labelOf(parameter, variable, "=", formatValue(value, variable.type));
}

function nameOf({ alias, value }: ParameterElement): string {
  return alias ?? value;
}

function labelOf(parameter: ParameterElement, variable: Variable, symbol: string, content: string): string {
  const name = nameOf(parameter);
  const shown = contentText(parameter, variable, content);
  switch (parameter.style ?? "full") {
    case "full":
      return `${name} ${symbol} ${shown}`;
    case "content":
      return shown;
    case "plain":
      return `${name} ${shown}`;
    case "reverse":
      return `${shown} ${name}`;
    case "value":
      return name;
    case "with_without":
      return `${isTrue(content) ? "with" : "without"} ${name}`;
    case "toggle":
      return isTrue(content) ? name : "";
    default:
      return `${name} ${truths[parameter.style ?? ""]?.[isTrue(content) ? 0 : 1] ?? shown}`;
  }
}

function isTrue(content: string): boolean {
  const value = readValue(content.trim(), "boolean");
  return value === true || (value !== false && content !== "");
}

/** Numbers with their unit; whatever SQL would quote, in quotes. */
function contentText(parameter: ParameterElement, variable: Variable, content: string): string {
  const isNumber = variable.type === "integer" || variable.type === "float" || variable.type === "boolean";
  if (isNumber) return content + (parameter.unit === false ? "" : unitText(variable));
  return parameter.style === undefined || parameter.style === "full" ? `'${content}'` : content;
}

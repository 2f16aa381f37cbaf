import {
  comparisons,
  comparisonWords,
  type FilterCondition,
  type FilterGroup,
  type FilterMember,
  type Junction,
  type ParameterElement,
} from "../../core/experiments/index.ts";
import { formatUnit, readValue, type Value } from "../../core/values/index.ts";
import { hasUnits, type Variable } from "../../core/variables/index.ts";
import { displayText } from "./display-text.ts";
import type { VectorColumn } from "./vector.ts";

const symbols: Readonly<Record<FilterCondition["kind"], string>> = {
  ...comparisonWords,
  all: "",
  null: "is NULL",
  notnull: "is not NULL",
  bool: "=",
  match: "LIKE",
};

/** Words for truth values by style, true first. */
const truths: Readonly<Record<string, readonly [string, string]>> = {
  true_false: ["true", "false"],
  on_off: ["on", "off"],
  yes_no: ["yes", "no"],
  enabled_disabled: ["enabled", "disabled"],
};

/** perfbase's spelling of a unit: the prefix, then the base in lower case. */
export function unitText({ variable, shownUnit }: Pick<VectorColumn, "variable" | "shownUnit">): string {
  if (shownUnit !== undefined && formatUnit(shownUnit.of) === formatUnit(variable.unit)) return shownUnit.text;
  return formatUnit(variable.unit).replaceAll(/FlOP|OP|Byte/g, (base) => base.toLowerCase());
}

/** The label of the filters of a parameter; "" if there is none. */
export function filterLabel(parameter: ParameterElement, filters: readonly FilterGroup[], variable: Variable): string {
  const parts = filters.map((filter) => groupLabel(parameter, filter, variable)).filter((text) => text !== "");
  return parts.join(joint(parameter.boolean));
}

/** The label of the filters of a source, with the parameter of each condition. */
export function sourceFilterLabel(filters: readonly FilterGroup[], find: (name: string) => Variable): string {
  const parts = filters.map((filter) => ({ text: sourceGroupLabel(filter, find), several: filter.members.length > 1 }));
  return parts.map(({ text, several }) => (several && parts.length > 1 ? `(${text})` : text)).join(" AND ");
}

function sourceGroupLabel({ boolean, members }: FilterGroup, find: (name: string) => Variable): string {
  const parts = members.map((member) => {
    if (member.kind === "filter")
      return member.members.length > 1 ? `(${sourceGroupLabel(member, find)})` : sourceGroupLabel(member, find);
    const variable = find(member.of ?? "");
    return conditionLabel({ id: "", value: variable.name, filters: [] }, member, variable);
  });
  return parts.filter((text) => text !== "").join(joint(boolean));
}

function joint(boolean: Junction | undefined): string {
  return boolean === "or" ? " OR " : " AND ";
}

function groupLabel(parameter: ParameterElement, { boolean, members }: FilterGroup, variable: Variable): string {
  const ordered = [...members].sort((a, b) => rankOf(a) - rankOf(b));
  const parts = ordered.map((member) => {
    if (member.kind !== "filter") return conditionLabel(parameter, member, variable);
    const inner = groupLabel(parameter, member, variable);
    return member.members.length > 1 && members.length > 1 ? `(${inner})` : inner;
  });
  return parts.filter((text) => text !== "").join(joint(boolean));
}

/** perfbase orders conditions by kind. */
function rankOf({ kind }: FilterMember): number {
  return kind === "filter" ? comparisons.length : comparisons.indexOf(kind);
}

function conditionLabel(
  parameter: ParameterElement,
  { kind, value: text }: FilterCondition,
  variable: Variable,
): string {
  if (kind === "all") return "";
  if (kind === "null" || kind === "notnull") return `${nameOf(parameter)} ${symbols[kind]}`;
  return labelOf(parameter, symbols[kind], literalText(parameter, variable, text), text);
}

/** The label of a value that all rows share: never quoted, unlike that of a condition. */
export function valueLabel(parameter: ParameterElement, variable: Variable, value: Value): string {
  if (value === null) return "";
  const text = displayText(value, variable.type);
  return labelOf(parameter, "=", text + unitOf(parameter, variable), text);
}

function nameOf({ alias, value }: ParameterElement): string {
  return alias ?? value;
}

function labelOf(parameter: ParameterElement, symbol: string, shown: string, text: string): string {
  const name = nameOf(parameter);
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
      return `${isTrue(text) ? "with" : "without"} ${name}`;
    case "toggle":
      return isTrue(text) ? name : "";
    default:
      return `${name} ${truths[parameter.style ?? ""]?.[isTrue(text) ? 0 : 1] ?? shown}`;
  }
}

function isTrue(text: string): boolean {
  const value = readValue(text.trim(), "boolean");
  return value === true || (value !== false && text !== "");
}

/** Numbers with unit; quoted where SQL would quote. */
function literalText(parameter: ParameterElement, variable: Variable, text: string): string {
  const isNumber = hasUnits(variable.type) || variable.type === "boolean";
  if (isNumber) return /[\d.]$/.test(text) || variable.type === "boolean" ? text + unitOf(parameter, variable) : text;
  return parameter.style === undefined || parameter.style === "full" ? `'${text}'` : text;
}

function unitOf(parameter: ParameterElement, variable: Variable): string {
  return parameter.unit === false ? "" : unitText({ variable });
}

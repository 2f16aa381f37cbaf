import { abbreviate } from "../../core/versions/index.ts";
import { formatUnit, formatValue, type Value, type Values } from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import type { Interval } from "../../math/hypothesis-tests/index.ts";
import { shortNumber } from "../../math/plotting/index.ts";
import type { OrderedRun } from "./finding.ts";
import { unitOf } from "../chart/index.ts";

/** `S_chunk=32 Byte, op=write`; "all" where there are no parameters. */
export function setText(set: Values, parameters: readonly Variable[]): string {
  if (set.size === 0) return "all";
  return [...set]
    .map(
      ([name, value]) => `${name}=${withUnit(valueText(name, value, parameters), value, variableOf(name, parameters))}`,
    )
    .join(", ");
}

/** The value of a parameter as labels show it. */
export function valueText(name: string, value: Value, parameters: readonly Variable[]): string {
  return value === null ? "(none)" : formatValue(value, variableOf(name, parameters)?.type ?? "string");
}

export function variableOf(name: string, variables: readonly Variable[]): Variable | undefined {
  return variables.find((variable) => variable.name === name);
}

function withUnit(text: string, value: Value, variable: Variable | undefined): string {
  const unit = value === null || variable?.type === "duration" ? "" : formatUnit(variable?.unit);
  return unit === "" ? text : `${text} ${unit}`;
}

/** A value of a result with its unit. */
export function amountText(value: number, variable: Variable | undefined): string {
  const unit = variable === undefined ? "" : formatUnit(unitOf(variable));
  return `${shortNumber(value)}${unit === "" ? "" : ` ${unit}`}`;
}

/** A share in percent; increases have a `+` if it is a change. */
export function percentText(share: number, isChange = false): string {
  if (!Number.isFinite(share)) return "";
  return `${isChange && share > 0 ? "+" : ""}${shortNumber(share * 100, 3)} %`;
}

/** Empty without an interval. */
export function intervalText({ low, high }: Interval, text: (end: number) => string): string {
  return Number.isFinite(low) && Number.isFinite(high) ? `${text(low)} … ${text(high)}` : "";
}

export function chanceText(q: number): string {
  return q < 0.001 ? "<0.001" : q.toFixed(3);
}

export function runText({ number, commit }: OrderedRun): string {
  return commit === undefined ? String(number) : `${number} (${abbreviate(commit)})`;
}

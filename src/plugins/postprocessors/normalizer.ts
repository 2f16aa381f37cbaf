import { isObject, type Json, type Values } from "../../core/values/index.ts";
import { columnNamed, type Run } from "../../core/profiles/index.ts";
import { numberColumn, withColumn } from "../../core/tables/index.ts";
import { withDefaults, option } from "../plugin.ts";
import { afterStep, type Postprocessor } from "./postprocessor.ts";

/**
 * Scales amounts to fractions of the largest, so that profiles of different machines or inputs are comparable.
 */
export const normalizer = Object.freeze<Postprocessor>({
  kind: "postprocessor",
  name: "normalizer",
  recorded: "normalizer",
  synopsis: "amounts as fractions of the largest of their group",
  options: [
    option("of-key", "string", "amount", "column to scale"),
    option("by", "string", "type,snapshot", "columns to group by; missing ones are skipped"),
  ],
  spellings: { "-of": ["of-key"], "-b": ["by"] },
  repeated: ["by"],
  apply,
});

function apply(run: Run, given: Values): Run {
  const options = withDefaults(normalizer, given);
  const { data } = run;
  if (data.length === 0) return afterStep(normalizer, run, options, []);
  const name = String(options.get("of-key"));
  const amount = columnNamed(data, name);
  const groupOf = grouping(run, String(options.get("by")).split(","));
  const largest = new Map<string, number>();
  for (let row = 0; row < data.length; row++) {
    const value = Math.abs(amount.number(row));
    if (value > (largest.get(groupOf(row)) ?? 0)) largest.set(groupOf(row), value);
  }
  const shares = Array.from({ length: data.length }, (_, row) => {
    const value = amount.number(row);
    return Number.isNaN(value) ? null : value / (largest.get(groupOf(row)) ?? 1);
  });
  const known = data.variables.find((variable) => variable.name === name) ?? {
    name,
    role: "result" as const,
    occurrence: "multiple" as const,
  };
  const { unit: _, ...variable } = { unit: undefined, ...known, type: "float" as const };
  const scaled = withColumn(data, variable, numberColumn(shares));
  const extra = name === "amount" ? withoutUnits(run.extra) : run.extra;
  return afterStep(normalizer, { ...run, data: scaled, extra }, options, []);
}

function grouping({ data }: Run, names: readonly string[]): (row: number) => string {
  const columns = names
    .filter((name) => data.variables.some((variable) => variable.name === name))
    .map((name) => columnNamed(data, name));
  return (row) => JSON.stringify(columns.map((column) => column.text(row)));
}

/** Fractions have no unit. */
function withoutUnits(extra: Run["extra"]): Run["extra"] {
  const header = extra.get("header");
  const units = isObject(header) ? header.get("units") : undefined;
  if (!isObject(header) || !isObject(units)) return extra;
  const bare = new Map<string, Json>([...units.keys()].map((type) => [type, ""]));
  return new Map([...extra, ["header", new Map([...header, ["units", bare]])]]);
}

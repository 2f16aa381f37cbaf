import type { MeasuredCase, MeasuredRun, Measurement, Quantity } from "../../src/core/measurements/measurement.ts";
import { convert } from "../../src/core/values/unit.ts";
import { formatValue, type Value } from "../../src/core/values/value.ts";
import type { Variable } from "../../src/core/variables/variable.ts";
import { exportRoles } from "../../src/query/export/export-queries.ts";
import { LatestCases } from "../../src/query/export/latest-cases.ts";
import type { ReadRun } from "./report-importer.ts";

/** A run that an importer read, as an export of it sees it. */
export interface ExportedRun {
  readonly quantities: readonly Quantity[];
  readonly run: MeasuredRun;
  readonly measurements: readonly Measurement[];
  readonly cases: readonly MeasuredCase[];
}

export function exportedRun({ variables, rows, once, about }: ReadRun): ExportedRun {
  const { benchmark, parameters, facts, results } = exportRoles("experiment", variables, { variables: [] });
  const text = (values: Readonly<Record<string, Value>>, variable: Variable): [string, string][] => {
    const value = values[variable.name] ?? null;
    return value === null ? [] : [[variable.name, formatValue(value, variable.type)]];
  };
  const run: MeasuredRun = {
    number: 1,
    performed: about.performed ?? 0,
    facts: new Map(facts.flatMap((variable) => text(once, variable))),
    ...(about.commit === undefined ? {} : { commit: about.commit }),
  };
  const measurements = rows.map((row) => ({
    benchmark: String(row[benchmark!.name]),
    parameters: new Map(parameters.flatMap((variable) => text(row, variable))),
    values: results.map(({ variable, factor }) => {
      const value = row[variable.name] ?? null;
      return value === null ? Number.NaN : convert(Number(value), factor);
    }),
  }));
  const quantities = results.map(({ quantity }) => quantity);
  const latest = new LatestCases(quantities);
  for (const each of measurements) latest.add(run, each);
  return { quantities, run, measurements, cases: [...latest.cases()] };
}

/** What a run holds, whatever the order of its columns. */
export function comparableRun({ about, once, variables, rows }: ReadRun): object {
  const described = variables.map(({ name, role, unit, better }) => [name, { role, unit, better }] as const);
  return { commit: about.commit, once, variables: Object.fromEntries(described), rows };
}

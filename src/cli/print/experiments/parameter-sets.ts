import type { ParameterSets } from "../../../commands/experiments/index.ts";
import { type Block, jsonValue } from "../../../core/figures/index.ts";
import { formatUnit, formatValue } from "../../../core/values/index.ts";
import type { Variable } from "../../../core/variables/index.ts";

/** Maximum number of parameter sets in a summary. */
export const maxSummarySets = 50;

/** A row per parameter set with count, mean and spread of each result; at most `limit` rows. */
export function parameterSetsTable({ parameters, results, sets }: ParameterSets, limit: number): Block {
  const labelled = (name: string, unit: Variable["unit"]): string =>
    unit === undefined ? name : `${name} [${formatUnit(unit)}]`;
  const names = results.flatMap(({ name, unit }) => [
    `${name} count`,
    labelled(`${name} mean`, unit),
    `${name} spread`,
  ]);
  const rows = sets
    .slice(0, limit)
    .map(({ values, statistics }) => [
      ...values.map((value, at) => (value === null ? "" : formatValue(value, parameters[at]?.type ?? "text"))),
      ...statistics.flatMap(({ count, mean, spread }) => [
        String(count),
        mean === null ? "" : String(Number(mean.toPrecision(6))),
        spread === null ? "" : `${(spread * 100).toFixed(1)} %`,
      ]),
    ]);
  const head = parameters.map(({ name, unit }) => ({ label: labelled(name, unit), align: "left" as const }));
  return { kind: "table", head: [...head, ...names.map((label) => ({ label, align: "right" as const }))], rows };
}

export function parameterSetsJson({ parameters, results, sets }: ParameterSets): object {
  return sets.map(({ values, statistics }) => ({
    parameters: Object.fromEntries(
      parameters.map((parameter, at) => [parameter.name, jsonValue(values[at] ?? null, parameter)]),
    ),
    results: Object.fromEntries(results.map(({ name }, at) => [name, statistics[at]])),
  }));
}

import type { ExperimentInfo } from "../../commands/info-experiment.ts";
import type { RunContents } from "../../commands/run-contents.ts";
import type { ValueRange } from "../../commands/survey.ts";
import { jsonRow, jsonValue } from "../../core/table-figure.ts";
import type { Table } from "../../core/table.ts";
import { formatTimestamp } from "../../core/time-text.ts";
import { formatUnit } from "../../core/unit.ts";
import { formatValue, type Values } from "../../core/value.ts";
import { findVariable, type Variable } from "../../core/variable.ts";

/** The document `perfkeep.experiment/1`. */
export function infoJson(found: ExperimentInfo): object {
  const { experiment: about, runs, attachments, parameterSets, contents, allVariables, data, ranges, counts } = found;
  return {
    experiment: {
      ...about,
      variables: about.variables.map((variable) => ({ ...variable, unit: formatUnit(variable.unit) })),
    },
    runs: runs.map((run) => ({
      ...run,
      created: formatTimestamp(run.created),
      performed: formatTimestamp(run.performed),
    })),
    attachments: attachments.map(({ name, kind }) => ({ name, kind })),
    parameterSets,
    ...(contents === undefined ? {} : { contents: setJson(contents, allVariables) }),
    ...(data === undefined ? {} : { data: data.map(contentsJson) }),
    ...(ranges === undefined ? {} : { ranges: ranges.map(rangeJson) }),
    ...(counts === undefined ? {} : { counts: tableJson(counts, 0) }),
  };
}

function setJson(contents: Values, variables: readonly Variable[]): object {
  const text = (name: string, value: Parameters<typeof formatValue>[0]): string | null =>
    value === null ? null : formatValue(value, findVariable(variables, name)?.type ?? "text");
  return Object.fromEntries([...contents].map(([name, value]) => [name, text(name, value)]));
}

function contentsJson({ run, once, multiple }: RunContents): object {
  return {
    run,
    ...(once === undefined ? {} : { once: named(once) }),
    ...(multiple === undefined ? {} : { multiple: tableJson(multiple, 1) }),
  };
}

/** Its only row by name, without the number of the run. */
function named(table: Table): object {
  const cells = table.length === 0 ? [] : jsonRow(table, 0);
  return Object.fromEntries(table.variables.slice(1).map(({ name }, at) => [name, cells[at + 1] ?? null]));
}

/** Columns from `first` on. */
function tableJson(table: Table, first: number): object {
  return {
    columns: table.variables.slice(first).map(({ name, type, unit }) => ({ name, type, unit: formatUnit(unit) })),
    rows: Array.from({ length: table.length }, (_, row) => jsonRow(table, row).slice(first)),
  };
}

function rangeJson({ variable, contents, missing, distinct, least, greatest }: ValueRange): object {
  const { name, type, unit } = variable;
  const [min, max] = [jsonValue(least, variable), jsonValue(greatest, variable)];
  return { name, type, unit: formatUnit(unit), min, max, contents, distinct, missing };
}

import type { ExportHead } from "../../commands/export.ts";
import type { RunSink } from "../../commands/export-by-run.ts";
import { jsonRow } from "../../core/table-figure.ts";
import type { Table } from "../../core/table.ts";
import { formatUnit } from "../../core/unit.ts";
import type { Variable } from "../../core/variable.ts";
import type { Output } from "../output.ts";

/** One document: each run with its contents by name and its data sets as rows. */
export function jsonExport(output: Output, { experiment, once, rows }: ExportHead): RunSink {
  let isFirstRun = true;
  let isFirstRow = true;
  const print = (text: string): void => output.data(text);
  return {
    open(table: Table, row: number): void {
      const [run, ...contents] = jsonRow(table, row);
      const named = Object.fromEntries(once.map(({ name }, i) => [name, contents[i] ?? null]));
      if (isFirstRun) print(headOf(experiment.name, once, rows));
      print(`${isFirstRun ? "\n" : ",\n"}{"run":${JSON.stringify(run)},"once":${JSON.stringify(named)},"rows":[`);
      [isFirstRun, isFirstRow] = [false, true];
    },
    rows(table: Table, from: number, to: number): void {
      const lines = Array.from({ length: to - from }, (_, i) => JSON.stringify(jsonRow(table, from + i).slice(1)));
      print(`${isFirstRow ? "\n" : ",\n"}${lines.join(",\n")}`);
      isFirstRow = false;
    },
    close: () => print("]}"),
    end(): void {
      if (!isFirstRun) print("\n]}\n");
    },
  };
}

function headOf(experiment: string, once: readonly Variable[], rows: readonly Variable[]): string {
  const told = (variables: readonly Variable[]): string =>
    JSON.stringify(variables.map(({ name, type, unit }) => ({ name, type, unit: formatUnit(unit) })));
  return `{"schema":"perfkeep.export/1","experiment":${JSON.stringify(experiment)},"once":${told(once)},"columns":${told(rows)},"runs":[`;
}

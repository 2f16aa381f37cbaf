import type { ExportHead, RunSink } from "../../../commands/export/index.ts";
import { escapedText, terminalText } from "../../../core/text/index.ts";
import { columnKind, valueAt, type Table } from "../../../core/tables/index.ts";
import { formatUnit, formatValue } from "../../../core/values/index.ts";
import { hasUnits, type Variable } from "../../../core/variables/index.ts";
import type { Output } from "../../output.ts";

/**
 * Writes each run as `name = value unit` lines, then a table of numbered rows with tab-separated columns. Missing
 * values are omitted or empty cells; texts are escaped (core/text/text-escape.ts). An input description for
 * this format is created by `formats/descriptions/ascii-input.ts`.
 */
export function asciiExport(output: Output, { once, rows }: Pick<ExportHead, "once" | "rows">): RunSink {
  let isFirst = true;
  let count = 0;
  const head = ["#", ...rows.map((variable) => terminalText(headOf(variable)))].join("\t");
  return {
    open(table: Table, row: number): void {
      const lines = once.flatMap((variable, i) => lineOf(variable, cell(table, i + 1, row)));
      const title = `# run ${cell(table, 0, row)}`;
      output.data(`${isFirst ? "" : "\n"}${[title, ...lines, ...(rows.length > 0 ? ["", head] : [])].join("\n")}\n`);
      [isFirst, count] = [false, 0];
    },
    rows(table: Table, from: number, to: number): void {
      if (rows.length === 0) return;
      const line = (row: number): string =>
        [String(++count), ...rows.map((_, i) => cell(table, i + 1, row))].join("\t");
      output.data(Array.from({ length: to - from }, (_, i) => `${line(from + i)}\n`).join(""));
    },
    close: () => {},
    end: () => {},
  };
}

function headOf({ name, unit }: Variable): string {
  const text = formatUnit(unit);
  return text === "" ? name : `${name}[${text}]`;
}

function lineOf({ name, type, unit }: Variable, value: string): string[] {
  const text = hasUnits(type) ? formatUnit(unit) : "";
  return value === "" ? [] : [terminalText(`${name} = ${value}${text === "" ? "" : ` ${text}`}`)];
}

function cell(table: Table, at: number, row: number): string {
  const { type } = table.variables[at] as Variable;
  const column = table.columns[at];
  const value = column === undefined || column.kind === "interned" ? null : valueAt(column, row, type);
  if (value === null) return "";
  const text = formatValue(value, type);
  return columnKind(type) === "text" ? escapedText(text) : text;
}

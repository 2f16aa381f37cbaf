import type { ExportHead } from "../../commands/export.ts";
import type { RunSink } from "../../commands/export-by-run.ts";
import { columnKind, valueAt, type Table } from "../../core/table.ts";
import { terminalText } from "../../core/terminal-text.ts";
import { formatUnit } from "../../core/unit.ts";
import { formatValue } from "../../core/value.ts";
import type { Variable } from "../../core/variable.ts";
import type { Output } from "../output.ts";

/**
 * Per run its contents as `name = content unit`, and a table of its data sets, whose columns are divided by tabs. `-` is no content; a
 * text that could be taken for something else is a JSON string.
 */
export function asciiExport(output: Output, { once, rows }: ExportHead): RunSink {
  let isFirst = true;
  const head = rows.map((variable) => terminalText(headOf(variable))).join("\t");
  return {
    open(table: Table, row: number): void {
      const lines = once.map((variable, i) => lineOf(variable, cell(table, i + 1, row)));
      const title = `# run ${cell(table, 0, row)}`;
      output.data(`${isFirst ? "" : "\n"}${[title, ...lines, ...(rows.length > 0 ? ["", head] : [])].join("\n")}\n`);
      isFirst = false;
    },
    rows(table: Table, from: number, to: number): void {
      if (rows.length === 0) return;
      const line = (row: number): string => rows.map((_, i) => cell(table, i + 1, row)).join("\t");
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

function lineOf({ name, unit }: Variable, content: string): string {
  const text = content === "-" ? "" : formatUnit(unit);
  return terminalText(`${name} = ${content}${text === "" ? "" : ` ${text}`}`);
}

function cell(table: Table, at: number, row: number): string {
  const { type } = table.variables[at] as Variable;
  const column = table.columns[at];
  const value = column === undefined || column.kind === "interned" ? null : valueAt(column, row, type);
  if (value === null) return "-";
  const text = formatValue(value, type);
  return columnKind(type) === "text" && isAmbiguous(text) ? JSON.stringify(text).replace(hidden, escaped) : text;
}

/** Controls and whatever else is not seen. */
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

function isAmbiguous(text: string): boolean {
  return text === "" || text === "-" || text.trim() !== text || text.startsWith('"') || text.search(hidden) >= 0;
}

/** UTF-16 units as JSON writes them. */
function escaped(char: string): string {
  return Array.from({ length: char.length }, (_, i) => `\\u${char.charCodeAt(i).toString(16).padStart(4, "0")}`).join("");
}

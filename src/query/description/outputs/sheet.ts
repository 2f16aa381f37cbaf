import type { Value } from "../../../core/values/value.ts";
import { unitText } from "../filter-label.ts";
import { contentOf, parametersOf, resultsOf, type VectorColumn } from "../vector.ts";
import { filledOf, plainLabels, type ShownVector } from "./shown-vector.ts";
import type { Page } from "./target.ts";

/** A cell of a spreadsheet; `head` cells stand out. */
export interface Cell {
  readonly value: Value;
  readonly type: VectorColumn["variable"]["type"];
  readonly style: "title" | "filter" | "head" | "data";
}

export type Row = readonly (Cell | undefined)[];

/**
 * The inputs of an output as rows of a sheet, first what holds for all of them. Vectors stand side by side, parameters
 * they share once. Single results stand in a table of their own: filters that differ by result, or one filter by the
 * other when there is one result.
 */
export function sheetOf(page: Page): Row[] {
  const inputs = filledOf(page.inputs);
  const all = inputs.map(plainLabels);
  const shared = (all[0] ?? []).filter((label) => all.every((labels) => labels.includes(label)));
  const own = all.map((labels) => labels.filter((label) => !shared.includes(label)));
  const top =
    shared.length === 0
      ? []
      : [[text("Parameters are:", "title")], ...shared.map((label) => [text(label, "filter")]), []];
  return [...top, ...tableRows(inputs, own)];
}

function tableRows(inputs: readonly ShownVector[], own: readonly (readonly string[])[]): Row[] {
  const scalars = inputs.length > 1 && inputs.every(isScalar);
  if (!scalars) return vectorRows(inputs, own);
  const heads = new Set(inputs.map((input) => headOf(resultsOf(input.vector)[0])));
  return heads.size === 1 && own.every((labels) => labels.length === 2)
    ? crossRows(inputs, own)
    : scalarRows(inputs, own);
}

/** One row with one result and no parameter. */
function isScalar({ vector }: ShownVector): boolean {
  return vector.length === 1 && vector.columns.length === 1 && resultsOf(vector).length === 1;
}

function crossRows(inputs: readonly ShownVector[], own: readonly (readonly string[])[]): Row[] {
  const across = distinct(own.map((labels) => labels[0] ?? ""));
  const down = distinct(own.map((labels) => labels[1] ?? ""));
  const at = (row: string, column: string): Cell | undefined => {
    const input = inputs[own.findIndex(([first, second]) => first === column && second === row)];
    return input === undefined ? undefined : scalarOf(input);
  };
  return [
    [text(`Results are ${headOf(inputs[0]?.vector.columns[0])}`, "title")],
    [],
    [undefined, ...across.map((label) => text(label, "head"))],
    ...down.map((row) => [text(row, "head"), ...across.map((column) => at(row, column))]),
  ];
}

function scalarRows(inputs: readonly ShownVector[], own: readonly (readonly string[])[]): Row[] {
  const names = own.map((labels) => labels.join(", "));
  const heads = inputs.map((input) => headOf(resultsOf(input.vector)[0]));
  const across = distinct(heads).sort((a, b) => (a < b ? -1 : 1));
  const at = (row: string, column: string): Cell | undefined => {
    const input = inputs[names.findIndex((name, place) => name === row && heads[place] === column)];
    return input === undefined ? undefined : scalarOf(input);
  };
  return [
    [undefined, ...across.map((head) => text(head, "head"))],
    ...distinct(names).map((row) => [text(row, "head"), ...across.map((column) => at(row, column))]),
  ];
}

function vectorRows(inputs: readonly ShownVector[], own: readonly (readonly string[])[]): Row[] {
  const [first] = inputs;
  const columns = inputs.flatMap((input, at) => {
    const repeats = at > 0 && first !== undefined && sharesParameters(first, input);
    const shown = repeats ? resultsOf(input.vector) : input.vector.columns;
    return shown.map((column) => ({
      column,
      length: input.vector.length,
      label: column.variable.role === "result" ? (own[at] ?? []).join(", ") : "",
    }));
  });
  const labels = columns.some(({ label }) => label !== "") ? [columns.map(({ label }) => text(label, "filter"))] : [];
  const length = inputs.reduce((most, { vector }) => Math.max(most, vector.length), 0);
  const rows = Array.from({ length }, (_, row) =>
    columns.map((each) => (row < each.length ? dataCell(each.column, row) : undefined)),
  );
  return [...labels, columns.map(({ column }) => text(headOf(column), "head")), ...rows];
}

/** The same contents of the same parameters, row by row. */
function sharesParameters(a: ShownVector, b: ShownVector): boolean {
  const [mine, theirs] = [parametersOf(a.vector), parametersOf(b.vector)];
  if (a.vector.length !== b.vector.length || mine.length === 0 || mine.length !== theirs.length) return false;
  return mine.every((column, at) => {
    const other = theirs[at];
    if (other === undefined || headOf(column) !== headOf(other)) return false;
    for (let row = 0; row < a.vector.length; row++) if (contentOf(column, row) !== contentOf(other, row)) return false;
    return true;
  });
}

function scalarOf({ vector }: ShownVector): Cell | undefined {
  const [column] = vector.columns;
  return column === undefined ? undefined : dataCell(column, 0);
}

function dataCell(column: VectorColumn, row: number): Cell {
  return { value: contentOf(column, row), type: column.variable.type, style: "data" };
}

function text(value: string, style: Cell["style"]): Cell {
  return { value, type: "string", style };
}

function headOf(column: VectorColumn | undefined): string {
  if (column === undefined) return "";
  const unit = unitText(column.variable);
  return unit === "" ? column.display : `${column.display} [${unit}]`;
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}

import { generalFormat } from "../text/index.ts";
import type { FlatColumn } from "./flat-table.ts";

/** A column with the cells that Python's tabulate prints. */
interface TabulatedColumn {
  readonly name: string;
  readonly align: "left" | "right";
  readonly cells: readonly string[];
}

/** Kinds of cells, each includes those before it. */
const kinds = ["boolean", "integer", "number", "text"] as const;

type Kind = (typeof kinds)[number];

/**
 * The cells of some rows as pandas and tabulate (0.9) print them: numbers with six significant digits, decimal points
 * below each other, also if they are spelled as texts; missing values as nan. As in pandas, integers are floats if a
 * value of the column is missing, or if all columns are numbers and one has fractions.
 */
export function tabulated(columns: readonly FlatColumn[], rows: readonly number[]): TabulatedColumn[] {
  const isFloat = (column: FlatColumn): boolean => !column.integral || rows.some((row) => column.isMissing(row));
  const areFloats = columns.every(({ numeric }) => numeric) && columns.some(isFloat);
  return columns.map((column) => {
    const least = column.numeric && (areFloats || isFloat(column)) ? "number" : "boolean";
    const texts = rows.map((row) => (column.isMissing(row) ? "nan" : column.text(row)));
    const kind = texts.reduce<Kind>(
      (found, text) => widest(found, kindOf(text)),
      rows.length === 0 ? "boolean" : least,
    );
    const isNumber = kind === "integer" || kind === "number";
    return { name: column.name, align: isNumber ? "right" : "left", cells: aligned(texts, kind) };
  });
}

function widest(a: Kind, b: Kind): Kind {
  return kinds[Math.max(kinds.indexOf(a), kinds.indexOf(b))] as Kind;
}

const digits = String.raw`\d+(?:_\d+)*`;
const integer = new RegExp(String.raw`^\s*[-+]?${digits}\s*$`);
const decimal = new RegExp(
  String.raw`^\s*[-+]?(?:${digits}\.?(?:${digits})?|\.${digits})(?:e[-+]?${digits})?\s*$`,
  "i",
);

/** The kind that a text is converted to: Python's `int` and `float` accept it. */
function kindOf(text: string): Kind {
  if (text === "True" || text === "False") return "boolean";
  if (integer.test(text)) return "integer";
  return decimal.test(text) || /^(?:-?inf|nan)$/i.test(text) ? "number" : "text";
}

function aligned(texts: readonly string[], kind: Kind): string[] {
  if (kind !== "integer" && kind !== "number") return texts.map((text) => text.trim());
  const cells = kind === "integer" ? texts : texts.map(numberText);
  const decimals = cells.map(decimalsOf);
  const most = decimals.reduce((largest, count) => Math.max(largest, count), -1);
  return cells.map((cell, at) => cell + " ".repeat(most - (decimals[at] ?? most)));
}

function numberText(text: string): string {
  const word = text.toLowerCase();
  return word === "nan" || word === "inf" || word === "-inf" ? word : generalFormat(Number(text.replaceAll("_", "")));
}

/** Characters after the point, or else after the exponent's `e`; -1 without both. */
function decimalsOf(cell: string): number {
  if (!decimal.test(cell)) return -1;
  const point = cell.lastIndexOf(".");
  const at = point < 0 ? cell.lastIndexOf("e") : point;
  return at < 0 ? -1 : cell.length - at - 1;
}

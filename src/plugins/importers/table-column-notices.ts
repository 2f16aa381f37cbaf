import { Failure } from "../../core/failures/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import type { SourceRow } from "../../formats/text/index.ts";
import type { ImportEvent } from "./importer.ts";
import { isMissing, numberOf, type Cell } from "./table-cells.ts";

/** Headings of columns whose numbers are names: `1.10` and `1.1` are two versions. */
const identifierHeading = /(?:^|[\s_.-])(?:version|release|revision|commit|sha1?|hash)$/i;
/** `007`, `00e4567`: digits that a number would lose. */
const leadingZero = /^\s*[+-]?0\d[\de]*\s*$/i;
/** A number with separators of thousands, a decimal comma, or a unit; `4k` is rather a parameter. */
const otherNotation = new RegExp(
  String.raw`^[+-]?(?:\d{1,3}(?:[,.' _]\d{3})+(?:[.,]\d+)?|\d*[.,]?\d+)(?:e[+-]?\d{1,3})?` +
    String.raw`(?:\s[a-z\u00b5%]{1,6}(?:/s)?|[num\u00b5]?s|%)?$`,
  "i",
);

/** Rows that are looked at for notices. */
const mostRows = 2000;

/** True for a column of numbers that identify something, so that they are texts. */
export function isIdentifier(heading: string, cells: readonly Cell[]): boolean {
  const isText = (cell: Cell): cell is string => typeof cell === "string";
  return (
    (identifierHeading.test(heading) && cells.some(isText)) ||
    cells.some((cell) => isText(cell) && cell.length > 1 && leadingZero.test(cell))
  );
}

/** Notices about columns of text that look like numbers. */
export function* columnNotices(
  columns: readonly { readonly variable: Variable }[],
  rows: readonly SourceRow[],
): Generator<ImportEvent> {
  const cells = rows.slice(0, mostRows).map((row) => row.cells);
  for (const [at, { variable }] of columns.entries()) {
    const own = cells.map((row) => row[at] ?? null);
    const [misfit, reason] = variable.type === "string" ? textDoubt(own) : none;
    if (misfit >= 0) yield { kind: "notice", line: rows[misfit]!.line, text: `column ${variable.name} ${reason}` };
  }
}

type Doubt = readonly [row: number, reason: string];

const none: Doubt = [-1, ""];

/** A column of which at least half of the cells are numbers, perhaps in another notation. */
function textDoubt(cells: readonly Cell[]): Doubt {
  const there = cells.filter((cell) => cell !== null && !isMissing(cell));
  const numbers = there.filter((cell) => numberOf(cell) !== undefined).length;
  if (numbers === there.length) return none;
  const alike = there.filter((cell) => typeof cell !== "string" || otherNotation.test(cell.trim())).length;
  if (numbers * 2 < there.length && alike < there.length) return none;
  const misfit = cells.findIndex((cell) => cell !== null && !isMissing(cell) && numberOf(cell) === undefined);
  return [misfit, `is a text: '${String(cells[misfit]).slice(0, 40)}' is not a number`];
}

/** Why no column has results. */
export function noResult(
  columns: readonly { readonly variable: Variable }[],
  rows: readonly SourceRow[],
  file: string,
): Failure {
  const numbers = columns.flatMap(({ variable }) => (variable.type === "float" ? [variable.name] : []));
  const [doubt] = columnNotices(columns, rows);
  const why =
    doubt?.kind === "notice"
      ? `line ${doubt.line}: ${doubt.text}`
      : numbers.length === 0
        ? "no column has only numbers"
        : `the integers of ${numbers.slice(0, 8).join(", ")} repeat, which makes them parameters`;
  return new Failure("no-result-column", { file, why, example: numbers.at(-1) ?? "" });
}

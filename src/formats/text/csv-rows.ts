import { Failure } from "../../core/errors.ts";
import { textLines } from "./text-lines.ts";

/** A row of a table as it was written; `null` is an empty cell. */
export interface SourceRow {
  readonly line: number;
  readonly cells: readonly (string | number | boolean | null)[];
}

/** A row may be written over many lines, but not longer than this, in characters. */
const longestRow = 1 << 20;

/** The rows of a CSV text (RFC 4180) with commas, semicolons or tabs, the first of which is its head; blank lines are passed over. */
export async function* csvRows(source: AsyncIterable<Uint8Array>, file: string): AsyncGenerator<SourceRow> {
  let separator: string | undefined;
  let open = "";
  let isQuoted = false;
  let [line, begin] = [0, 1];
  for await (const text of textLines(source)) {
    line += 1;
    if (!isQuoted) begin = line;
    open = isQuoted ? `${open}\n${text}` : text;
    isQuoted = isQuoted !== hasOddQuotes(text);
    if (open.length > longestRow) throw new Failure("damaged-report", { file, problem: "a row is longer than 1 MiByte", line: begin });
    if (isQuoted) continue;
    const row = separator === undefined ? open.replace(/^\uFEFF/, "") : open;
    if (row.trim() === "") continue;
    separator ??= separatorOf(row);
    yield { line: begin, cells: csvCells(row, separator).map((cell) => (cell === "" ? null : cell)) };
  }
  if (isQuoted) throw new Failure("damaged-report", { file, problem: "a double quote is not closed", line: begin });
}

function hasOddQuotes(text: string): boolean {
  let count = 0;
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at + 1)) count += 1;
  return count % 2 === 1;
}

/** That of which the head has most. */
export function separatorOf(head: string): string {
  const plain = head.replaceAll(/"[^"]*"/g, "");
  const counts = [",", ";", "\t"].map((each) => [each, plain.split(each).length] as const);
  return counts.reduce((best, each) => (each[1] > best[1] ? each : best))[0];
}

/** The cells of one row without the blanks around them; quotes are taken off. */
export function csvCells(row: string, separator: string): string[] {
  if (!row.includes('"')) return row.split(separator).map((cell) => cell.trim());
  const cells: string[] = [];
  for (let at = 0; at <= row.length;) {
    const quoted = row[at] === '"';
    let end = quoted ? closingQuote(row, at + 1) : at;
    const cell = quoted ? row.slice(at + 1, end).replaceAll('""', '"') : undefined;
    end = row.indexOf(separator, end);
    if (end < 0) end = row.length;
    cells.push(cell ?? row.slice(at, end).trim());
    at = end + 1;
  }
  return cells;
}

function closingQuote(row: string, from: number): number {
  for (let at = row.indexOf('"', from); at >= 0; at = row.indexOf('"', at + 2)) if (row[at + 1] !== '"') return at;
  return row.length;
}

import { Failure } from "../../core/failures/index.ts";
import { lineBlocks } from "./text-lines.ts";

/** A row as written in the source; `null` is an empty cell. */
export interface SourceRow {
  readonly line: number;
  readonly cells: readonly (string | number | bigint | boolean | null)[];
  /** Samples by column, for rows that stand for one row per sample; their cells have the first sample. */
  readonly lists?: ReadonlyMap<number, readonly (number | null)[]>;
}

/** Texts that stand for a missing number in the files of other programs. */
const missingMarks = new Set(["na", "n/a", "nan", "null", "none", "-", "--"]);

/** True for `NA` and the like in a column of numbers. */
export function isMissingMark(text: string): boolean {
  return text.length <= 4 && missingMarks.has(text.toLowerCase());
}

/** Maximum length of a row in characters, across all of its lines. */
const longestRow = 1 << 20;

const [newline, carriageReturn] = [0x0a, 0x0d] as const;

/** Unquoted ASCII lines: byte offsets equal text offsets. */
interface PlainBlock {
  readonly bytes: Uint8Array;
  readonly text: string;
  readonly separator: string;
}

/**
 * The row from `start` to `end` of a block. Each access to `cells` parses the row again.
 */
export class PlainRow implements SourceRow {
  readonly block: PlainBlock;
  readonly line: number;
  readonly start: number;
  readonly end: number;

  constructor(block: PlainBlock, line: number, start: number, end: number) {
    this.block = block;
    this.line = line;
    this.start = start;
    this.end = end;
  }

  get cells(): SourceRow["cells"] {
    const { text, separator } = this.block;
    return filled(csvCells(text.slice(this.start, this.end), separator));
  }
}

/**
 * The non-blank rows of a CSV text (RFC 4180) with commas, semicolons or tabs, in batches of one source chunk each. The
 * first row is the header.
 */
export async function* csvRows(source: AsyncIterable<Uint8Array>, file: string): AsyncGenerator<SourceRow[]> {
  const reader = new CsvReader(file);
  const decoder = new TextDecoder();
  for await (const { bytes } of lineBlocks(source)) yield reader.take(bytes, decoder.decode(bytes));
  reader.end();
}

class CsvReader {
  readonly #file: string;
  #separator: string | undefined;
  /** The lines so far of an unclosed quoted cell. */
  #open = "";
  #isQuoted = false;
  #line = 0;
  #begin = 1;

  constructor(file: string) {
    this.#file = file;
  }

  /** The rows completed by these lines. */
  take(bytes: Uint8Array, text: string): SourceRow[] {
    const separator = this.#separator;
    // Text that is not ASCII has fewer characters than bytes.
    const isPlain = separator !== undefined && !this.#isQuoted && text.length === bytes.length && !text.includes('"');
    return isPlain ? this.#plainRows({ bytes, text, separator }) : [...this.#rows(text)];
  }

  end(): void {
    if (this.#isQuoted) throw this.#damaged("a double quote is not closed");
  }

  #plainRows(block: PlainBlock): SourceRow[] {
    const { bytes } = block;
    const rows: SourceRow[] = [];
    for (let start = 0; start < bytes.length;) {
      const end = bytes.indexOf(newline, start);
      const stop = end > start && bytes[end - 1] === carriageReturn ? end - 1 : end;
      this.#line += 1;
      this.#begin = this.#line;
      this.#refuseLong(stop - start);
      if (!isBlank(bytes, start, stop)) rows.push(new PlainRow(block, this.#line, start, stop));
      start = end + 1;
    }
    return rows;
  }

  *#rows(text: string): Generator<SourceRow> {
    for (const each of text.split("\n").slice(0, -1)) {
      const line = each.endsWith("\r") ? each.slice(0, -1) : each;
      this.#line += 1;
      if (!this.#isQuoted) this.#begin = this.#line;
      this.#open = this.#isQuoted ? `${this.#open}\n${line}` : line;
      this.#isQuoted = this.#isQuoted !== hasOddQuotes(line);
      this.#refuseLong(this.#open.length);
      if (this.#isQuoted) continue;
      const row = this.#separator === undefined ? this.#open.replace(/^\uFEFF/, "") : this.#open;
      if (row.trim() === "") continue;
      this.#separator ??= separatorOf(row);
      yield { line: this.#begin, cells: filled(csvCells(row, this.#separator)) };
    }
  }

  #refuseLong(length: number): void {
    if (length > longestRow) throw this.#damaged("a row is longer than 1 MiByte");
  }

  #damaged(problem: string): Failure {
    return new Failure("damaged-report", { file: this.#file, problem, line: this.#begin });
  }
}

function isBlank(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (!isBlankByte(bytes[at]!)) return false;
  return true;
}

/** Whether `trim` removes this ASCII byte. */
export function isBlankByte(byte: number): boolean {
  return byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);
}

function filled(cells: readonly string[]): SourceRow["cells"] {
  return cells.map((cell) => (cell === "" ? null : cell));
}

function hasOddQuotes(text: string): boolean {
  let count = 0;
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at + 1)) count += 1;
  return count % 2 === 1;
}

/** The most frequent separator of the header, quoted cells aside. */
export function separatorOf(head: string): string {
  const plain = head.replaceAll(/"[^"]*"/g, "");
  const counts = [",", ";", "\t"].map((each) => [each, plain.split(each).length] as const);
  return counts.reduce((best, each) => (each[1] > best[1] ? each : best))[0];
}

/** The trimmed and unquoted cells of one row. Text after a closing quote belongs to the cell. */
export function csvCells(row: string, separator: string): string[] {
  if (!row.includes('"')) return row.split(separator).map((cell) => cell.trim());
  const cells: string[] = [];
  for (let at = 0; at <= row.length;) {
    const quoted = row[at] === '"';
    let end = quoted ? closingQuote(row, at + 1) : at;
    const cell = quoted ? row.slice(at + 1, end).replaceAll('""', '"') : undefined;
    const from = quoted ? end + 1 : at;
    end = row.indexOf(separator, end);
    if (end < 0) end = row.length;
    const rest = row.slice(from, end);
    cells.push(cell === undefined ? rest.trim() : cell + rest.trimEnd());
    at = end + 1;
  }
  return cells;
}

function closingQuote(row: string, from: number): number {
  for (let at = row.indexOf('"', from); at >= 0; at = row.indexOf('"', at + 2)) if (row[at + 1] !== '"') return at;
  return row.length;
}

/** The cells of a line and its 1-based number. */
interface CellLine {
  readonly line: number;
  readonly cells: readonly string[];
}

/**
 * The non-blank lines of a CSV text (RFC 4180). Quoted cells may contain separators, line breaks and doubled quotes.
 * The separator is the most frequent of comma, semicolon and tab in the first line. Fails with `bad-series` on an
 * unclosed quote.
 */
export function* separatedLines(text: string, file: string): Generator<CellLine, undefined> {
  const separator = separatorOfFirstLine(text);
  const scanner = { at: text.startsWith("\uFEFF") ? 1 : 0, line: 1 };
  while (scanner.at < text.length) {
    const { line } = scanner;
    const cells = readCellLine(text, scanner, separator, file);
    if (cells.length > 1 || cells[0] !== "") yield { line, cells };
  }
  return undefined;
}

interface Scanner {
  at: number;
  line: number;
}

function separatorOfFirstLine(text: string): string {
  const first = text.slice(0, Math.max(0, text.search(/[\r\n]|$/)));
  const counts = [",", ";", "\t"].map((each) => [each, first.split(each).length] as const);
  return counts.reduce((best, each) => (each[1] > best[1] ? each : best))[0];
}

function readCellLine(text: string, scanner: Scanner, separator: string, file: string): string[] {
  const cells: string[] = [];
  for (;;) {
    cells.push(text[scanner.at] === '"' ? quotedCell(text, scanner, file) : plainCell(text, scanner, separator));
    if (text[scanner.at] !== separator) break;
    scanner.at += 1;
  }
  if (text[scanner.at] === "\r") scanner.at += 1;
  if (text[scanner.at] === "\n") scanner.at += 1;
  scanner.line += 1;
  return cells;
}

function plainCell(text: string, scanner: Scanner, separator: string): string {
  const from = scanner.at;
  while (
    scanner.at < text.length &&
    text[scanner.at] !== separator &&
    text[scanner.at] !== "\n" &&
    text[scanner.at] !== "\r"
  )
    scanner.at += 1;
  return text.slice(from, scanner.at).trim();
}

function quotedCell(text: string, scanner: Scanner, file: string): string {
  const { line } = scanner;
  const pieces: string[] = [];
  for (let from = scanner.at + 1; ;) {
    const end = text.indexOf('"', from);
    if (end < 0) throw new Failure("bad-series", { file, line, reason: "a double quote is not closed" });
    pieces.push(text.slice(from, end));
    if (text[end + 1] !== '"') {
      scanner.at = end + 1;
      const cell = pieces.join('"');
      scanner.line += cell.split("\n").length - 1;
      return cell;
    }
    from = end + 2;
  }
}

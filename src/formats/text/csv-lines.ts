import { Failure } from "../../core/failures/failure.ts";

/** The cells of a line and its 1-based number. */
export interface CellLine {
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

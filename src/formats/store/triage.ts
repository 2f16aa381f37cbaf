import { Failure } from "../../core/failures/index.ts";
import type { TriageEntry } from "../../core/verdicts/index.ts";
import { printTriageLine, readTriageLine } from "./triage-line.ts";

/** A line of the file, and its entry unless it is a comment. */
export interface TriageLine {
  /** Without the line feed; a carriage return stays. */
  readonly text: string;
  readonly entry: TriageEntry | null;
}

/**
 * The file of triage decisions, `perfkeep.triage`: one entry per line; blank lines and `#` lines are comments. Line
 * order and duplicate lines are irrelevant, so git can merge the file by keeping the lines of both sides
 * (`merge=union`).
 */
export interface TriageFile {
  /** All lines, including the text after the last line feed. */
  readonly lines: readonly TriageLine[];
}

/** Header of a new file. */
const opening = [
  '# Decisions about performance changes, one entry per line: "KEY" VERSION STATE WHO, WHEN AND WHY',
  '# VERSION is * (any), an id, or a range A..B; STATE is accepted, expected, fixed, went-away, or renamed "NEW KEY".',
  "",
];

/** Reads a file. Fails with `bad-triage` at line and column. */
export function decodeTriage(text: string, file: string): TriageFile {
  const lines = text.split("\n").map((line, at) => ({ text: line, entry: entryOf(line, file, at + 1) }));
  return { lines };
}

/** Prints the original text, byte for byte. */
export function encodeTriage({ lines }: TriageFile): string {
  return lines.map(({ text }) => text).join("\n");
}

/** The distinct entries in line order. */
export function triageEntries({ lines }: TriageFile): TriageEntry[] {
  const seen = new Map<string, TriageEntry>();
  for (const { entry } of lines) if (entry) seen.set(printTriageLine(entry), entry);
  return [...seen.values()];
}

/**
 * Inserts an entry before the first entry with a greater key and its comments. Returns the file unchanged if it already
 * contains the entry.
 */
export function withEntry(file: TriageFile, entry: TriageEntry): TriageFile {
  const text = printTriageLine(entry);
  if (file.lines.some((line) => line.entry !== null && printTriageLine(line.entry) === text)) return file;
  const lines = withTrailingLine(file.lines);
  let at = lines.findIndex((line) => line.entry !== null && text < printTriageLine(line.entry));
  if (at < 0) at = lines.length - 1;
  else while (isComment(lines[at - 1])) at -= 1;
  const isDos = lines[0]?.text.endsWith("\r") === true;
  return { lines: lines.toSpliced(at, 0, { text: isDos ? `${text}\r` : text, entry }) };
}

/** Adds an empty last line, so that the file ends with a line feed. */
function withTrailingLine(lines: readonly TriageLine[]): readonly TriageLine[] {
  if (lines.every(({ text }) => text === "")) return [...opening, ""].map((text) => ({ text, entry: null }));
  return lines.at(-1)?.text === "" ? lines : [...lines, { text: "", entry: null }];
}

function isComment(line: TriageLine | undefined): boolean {
  return line?.text.trimStart().startsWith("#") === true;
}

function entryOf(source: string, file: string, number: number): TriageEntry | null {
  const text = number === 1 && source.startsWith("\uFEFF") ? source.slice(1) : source;
  if (/^(?:<{7}|={7}|>{7}|\|{7})(?: |\r?$)/.test(text)) throw conflict(file, number);
  const line = text.endsWith("\r") ? text.slice(0, -1) : text;
  return line.trim() === "" || line.trimStart().startsWith("#") ? null : readTriageLine(line, { file, line: number });
}

function conflict(file: string, line: number): Failure {
  const reason =
    "unresolved git conflict: keep the lines of both sides, and put 'perfkeep.triage merge=union' into .gitattributes";
  return new Failure("bad-triage", { file, line, column: 1, reason });
}

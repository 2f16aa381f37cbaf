import { Failure } from "../../core/failures/failure.ts";
import type { TriageEntry } from "../../core/verdicts/triage.ts";
import { printTriageLine, readTriageLine } from "./triage-line.ts";

/** A line of the file as it stands there, and the entry that it has, if it is no comment. */
export interface TriageLine {
  /** Without the line feed; a carriage return stays. */
  readonly text: string;
  readonly entry: TriageEntry | null;
}

/**
 * The file of decisions, `perfkeep.triage`: an entry a line, `#` begins a comment line, blank lines are for people. The
 * order of lines means nothing and a line twice is a line once, so that git may merge two of them by keeping the lines
 * of both (`merge=union`).
 */
export interface TriageFile {
  /** All lines; the text behind the last line feed is one, too. */
  readonly lines: readonly TriageLine[];
}

/** Begins a file that is new. */
const opening = [
  '# Decisions about changes of performance, an entry a line: "KEY" VERSION STATE WHO, WHEN AND WHY',
  '# VERSION is * (any), an id, or a range A..B; STATE is accepted, expected, fixed, went-away, or renamed "NEW KEY".',
  "",
];

/** Reads the text of a file. Fails with `bad-triage`, naming line and column. */
export function decodeTriage(text: string, file: string): TriageFile {
  const lines = text.split("\n").map((line, at) => ({ text: line, entry: entryOf(line, file, at + 1) }));
  return { lines };
}

/** The text that it was read from, byte for byte. */
export function encodeTriage({ lines }: TriageFile): string {
  return lines.map(({ text }) => text).join("\n");
}

/** All entries, each once, in the order of the lines. */
export function triageEntries({ lines }: TriageFile): TriageEntry[] {
  const seen = new Map<string, TriageEntry>();
  for (const { entry } of lines) if (entry) seen.set(printTriageLine(entry), entry);
  return [...seen.values()];
}

/**
 * The file with one entry more, before the first with a greater key (and the comments right above that); unchanged
 * where it is in already.
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

/** Lines whose last one is empty: the file ends with a line feed. */
function withTrailingLine(lines: readonly TriageLine[]): readonly TriageLine[] {
  if (lines.every(({ text }) => text === "")) return [...opening, ""].map((text) => ({ text, entry: null }));
  return lines.at(-1)?.text === "" ? lines : [...lines, { text: "", entry: null }];
}

function isComment(line: TriageLine | undefined): boolean {
  return line?.text.trimStart().startsWith("#") === true;
}

function entryOf(line: string, file: string, number: number): TriageEntry | null {
  const text = number === 1 && line.startsWith("\uFEFF") ? line.slice(1) : line;
  if (/^(?:<{7}|={7}|>{7}|\|{7})(?: |\r?$)/.test(text)) throw conflict(file, number);
  const line = text.endsWith("\r") ? text.slice(0, -1) : text;
  return line.trim() === "" || line.trimStart().startsWith("#")
    ? null
    : readTriageLine(line, { file, line: number });
}

function conflict(file: string, line: number): Failure {
  const reason =
    "unresolved git conflict: keep the lines of both sides, and put 'perfkeep.triage merge=union' into .gitattributes";
  return new Failure("bad-triage", { file, line, column: 1, reason });
}

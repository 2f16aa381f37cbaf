import { byteOrderMark } from "../../text/index.ts";

/**
 * The prefix of each line in a log of GitHub Actions: `2026-01-02T03:04:05.1234567Z `, after job and step in the output
 * of `gh run view --log`. Each step starts with a byte order mark.
 */
const stamp = String.raw`^(?:[^\t\n]{1,200}\t[^\t\n]{1,200}\t)?\uFEFF?\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{7}Z ?`;
const stamped = new RegExp(stamp);
const stamps = new RegExp(stamp, "gm");

/** Maximum length of a JavaScript string. */
const maxTextLength = 2 ** 29 - 25;

/** Bytes that are inspected to detect a log. */
const detectionBytes = 4096;

/**
 * A report as its program wrote it: without the timestamps of a log, and converted to UTF-8 from the UTF-16 of
 * PowerShell redirections. Most reports are returned unchanged.
 */
export function reportBytes(bytes: Uint8Array): Uint8Array {
  const { encoding = "utf-8" } = byteOrderMark(bytes);
  if (bytes.length > maxTextLength) return bytes;
  if (encoding === "utf-8" && !stamped.test(new TextDecoder().decode(bytes.subarray(0, detectionBytes)))) return bytes;
  return new TextEncoder().encode(new TextDecoder(encoding).decode(bytes).replace(stamps, ""));
}

/** Longer lines are replaced by empty ones. */
const maxLineLength = 10_000;

/** Bytes decoded at once. */
const sliceSize = 1 << 16;

/** Colours and other control sequences of terminals (ECMA-48, 5.4). */
// oxlint-disable-next-line no-control-regex -- matches control characters
const controlSequence = /\u001b\[[0-9;:?]*[A-Za-z]/g;

/**
 * The lines of a printed report as a terminal shows them: without colours and line ends, and only the last state of an
 * overwritten line. The encoding is UTF-8, or UTF-16 with a byte order mark (PowerShell redirections); NUL becomes
 * `\0`. A line of more than 10,000 characters is empty.
 */
export function* reportLines(bytes: Uint8Array): Generator<string, undefined> {
  const decoder = new TextDecoder(byteOrderMark(bytes).encoding);
  let rest = "";
  for (let at = 0; at < bytes.length; at += sliceSize) {
    const lines = (rest + decoder.decode(bytes.subarray(at, at + sliceSize), { stream: true })).split("\n");
    rest = (lines.pop() ?? "").slice(0, maxLineLength + 1);
    for (const line of lines) yield visibleText(line);
  }
  rest += decoder.decode();
  if (rest !== "") yield visibleText(rest);
  return undefined;
}

/** Lines of several runs: `begins` is the first line of each; lines before the first one belong to it. */
export function linesByRun(lines: Iterable<string>, begins: RegExp): string[][] {
  const runs: string[][] = [[]];
  let isStarted = false;
  for (const line of lines) {
    const isFirst = begins.test(line);
    if (isFirst && isStarted) runs.push([]);
    isStarted ||= isFirst;
    runs.at(-1)!.push(line);
  }
  return runs;
}

/** Whether any line matches; stops reading at the first match. */
export function someLine(lines: Iterable<string>, matches: (line: string) => boolean): boolean {
  for (const line of lines) if (matches(line)) return true;
  return false;
}

function visibleText(line: string): string {
  if (line.length > maxLineLength) return "";
  const ended = line.endsWith("\r") ? line.slice(0, -1) : line;
  const last = ended.slice(ended.lastIndexOf("\r") + 1);
  const plain = (last.includes("\u001b") ? last.replace(controlSequence, "") : last).trimEnd();
  return plain.includes("\0") ? plain.replaceAll("\0", String.raw`\0`) : plain;
}

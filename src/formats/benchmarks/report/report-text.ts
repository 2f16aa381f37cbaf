import { byteOrderMark } from "../../text/byte-order-mark.ts";

/**
 * What GitHub Actions puts before each line of a log: `2026-01-02T03:04:05.1234567Z `, behind job and step in what `gh
 * run view --log` shows. A byte order mark is where a step began.
 */
const stamp = String.raw`^(?:[^\t\n]{1,200}\t[^\t\n]{1,200}\t)?\uFEFF?\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{7}Z ?`;
const stamped = new RegExp(stamp);
const stamps = new RegExp(stamp, "gm");

/** Nothing longer fits into a text. */
const maxTextLength = 2 ** 29 - 25;

/** What is looked at to see whether a file is a log. */
const detectionBytes = 4096;

/**
 * A report as its program wrote it, in UTF-8: without the times of a log, and not in UTF-16, as PowerShell redirects.
 * Mostly these are the bytes themselves.
 */
export function reportBytes(bytes: Uint8Array): Uint8Array {
  const { encoding = "utf-8" } = byteOrderMark(bytes);
  if (bytes.length > maxTextLength) return bytes;
  if (encoding === "utf-8" && !stamped.test(new TextDecoder().decode(bytes.subarray(0, detectionBytes)))) return bytes;
  return new TextEncoder().encode(new TextDecoder(encoding).decode(bytes).replace(stamps, ""));
}

/** Longer lines are empty: no result is that long. */
const maxLineLength = 10_000;

/** What is decoded at once, in bytes. */
const sliceSize = 1 << 16;

/** Colours and other control sequences of terminals (ECMA-48, 5.4). */
// oxlint-disable-next-line no-control-regex -- controls are what it looks for
const controlSequence = /\u001b\[[0-9;:?]*[A-Za-z]/g;

/**
 * The lines of a report that a program printed, as a terminal shows them: no colours, of a line that was written over
 * its last state, no line ends. UTF-8, or UTF-16 with a byte order mark, as PowerShell redirects; NUL is written `\0`.
 * A line of more than 10,000 characters is empty.
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

/** Whether one of the lines is meant; none behind it is read. */
export function someLine(lines: Iterable<string>, isMeant: (line: string) => boolean): boolean {
  for (const line of lines) if (isMeant(line)) return true;
  return false;
}

function visibleText(line: string): string {
  if (line.length > maxLineLength) return "";
  const ended = line.endsWith("\r") ? line.slice(0, -1) : line;
  const last = ended.slice(ended.lastIndexOf("\r") + 1);
  const plain = last.includes("\u001b") ? last.replace(controlSequence, "") : last;
  return plain.includes("\0") ? plain.replaceAll("\0", String.raw`\0`) : plain;
}

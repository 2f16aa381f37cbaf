import { byteOrderMark } from "../../text/byte-order-mark.ts";

/**
 * What GitHub Actions puts before each line of a log: `2026-01-02T03:04:05.1234567Z `, behind job and step in what `gh
 * run view --log` shows. A byte order mark is where a step began.
 */
const stamp = String.raw`^(?:[^\t\n]{1,200}\t[^\t\n]{1,200}\t)?\uFEFF?\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{7}Z ?`;
const stamped = new RegExp(stamp);
const stamps = new RegExp(stamp, "gm");

/** Nothing longer fits into a text. */
const longest = 2 ** 29 - 25;

/** What is looked at to see whether a file is a log. */
const looked = 4096;

/**
 * A report as its program wrote it, in UTF-8: without the times of a log, and not in UTF-16, as PowerShell redirects.
 * Mostly these are the bytes themselves.
 */
export function reportBytes(bytes: Uint8Array): Uint8Array {
  const { encoding = "utf-8" } = byteOrderMark(bytes);
  if (bytes.length > longest) return bytes;
  if (encoding === "utf-8" && !stamped.test(new TextDecoder().decode(bytes.subarray(0, looked)))) return bytes;
  return new TextEncoder().encode(new TextDecoder(encoding).decode(bytes).replace(stamps, ""));
}

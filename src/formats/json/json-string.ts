import type { ByteWriter } from "../bytes/index.ts";

const quote = 0x22;
const backslash = 0x5c;

/** 1 for bytes that are printed unescaped in a string: printable ASCII except quote and backslash. */
export const plain = new Uint8Array(256);
for (let byte = 0x20; byte < 0x7f; byte++) plain[byte] = 1;
plain[quote] = 0;
plain[backslash] = 0;

const short: Readonly<Record<string, string>> = {
  '"': '\\"',
  "\\": "\\\\",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\b": "\\b",
  "\f": "\\f",
};
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** True if `bytes` are valid UTF-8. */
export function isUtf8(bytes: Uint8Array): boolean {
  try {
    decoder.decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** The text of a checked string; `[start, end)` includes both quotes. Lone surrogates are allowed, as in Python. */
export function decodeString(bytes: Uint8Array, start: number, end: number): string {
  if (end - start < 24) {
    let text = "";
    let at = start + 1;
    for (; plain[bytes[at]!] === 1; at++) text += String.fromCharCode(bytes[at]!);
    if (at === end - 1) return text;
  }
  const text = decoder.decode(bytes.subarray(start + 1, end - 1));
  return text.includes("\\") ? (JSON.parse(`"${text}"`) as string) : text;
}

/** Python's spelling with quotes: everything except printable ASCII is escaped. */
export function quoted(text: string): string {
  const escaped = (unit: string): string => short[unit] ?? `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return `"${text.replace(/[^ !#-[\]-~]/g, escaped)}"`;
}

/** Copies a checked string in Python's spelling. */
export function copyString(bytes: Uint8Array, start: number, end: number, writer: ByteWriter): void {
  let at = start + 1;
  while (plain[bytes[at]!] === 1) at++;
  if (at === end - 1) writer.slice(bytes, start, end);
  else writer.ascii(quoted(decodeString(bytes, start, end)));
}

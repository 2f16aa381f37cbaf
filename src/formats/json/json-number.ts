import { floatText } from "../../core/values/index.ts";
import type { ByteWriter } from "../bytes/index.ts";

const digitZero = 0x30;
/** Decimals with at most this many digits survive a double, so their plain spelling is canonical. */
const safeDigits = 15;

/** Python's spelling of the checked number `[start, end)`; null if it is already spelled that way. */
export function canonicalSpelling(bytes: Uint8Array, start: number, end: number): string | null {
  const kind = spelling(bytes, start, end);
  if (kind === "canonical") return null;
  const text = numberText(bytes, start, end);
  if (kind === "integer") return text === "-0" ? "0" : null;
  if (text.endsWith("NaN") || text.endsWith("Infinity")) return null;
  const python = floatText(Number(text));
  return python === text ? null : python;
}

/**
 * Classifies integers and short plain decimals without conversion. A fraction that ends in zero, a small value that
 * Python would write with an exponent, and anything longer is `float` and has to be converted.
 */
function spelling(bytes: Uint8Array, start: number, end: number): "canonical" | "integer" | "float" {
  const first = bytes[start] === 0x2d ? start + 1 : start;
  let point = 0;
  for (let i = first; i < end; i++) {
    const byte = bytes[i]!;
    if (byte === 0x2e) point = i;
    else if (byte < digitZero || byte > 0x39) return "float";
  }
  if (point === 0) return bytes[first] === digitZero ? "integer" : "canonical";
  return end - first <= safeDigits && isPlainDecimal(bytes, first, point, end) ? "canonical" : "float";
}

/** The spelling as text. */
export function numberText(bytes: Uint8Array, start: number, end: number): string {
  let text = "";
  for (let i = start; i < end; i++) text += String.fromCharCode(bytes[i]!);
  return text;
}

export function copyNumber(bytes: Uint8Array, start: number, end: number, writer: ByteWriter): void {
  const other = canonicalSpelling(bytes, start, end);
  if (other === null) writer.slice(bytes, start, end);
  else writer.ascii(other);
}

const blank = 0x20;

/**
 * Copies the checked number at `at` if it is an integer or a short plain decimal, as nearly all are, and returns its
 * end; else copies nothing and returns -1.
 */
export function copyPlainNumber(bytes: Uint8Array, at: number, writer: ByteWriter): number {
  writer.reserve(safeDigits + 2);
  const target = writer.buffer;
  const first = bytes[at] === 0x2d ? at + 1 : at;
  let to = writer.length;
  let point = 0;
  for (let i = at; i <= first + safeDigits; i++) {
    const byte = bytes[i]!;
    if ((byte >= digitZero && byte <= 0x39) || i < first) target[to++] = byte;
    else if (byte === 0x2e) target[(point = i) && to++] = byte;
    else if (!(byte === 0x2c || byte === 0x5d || byte === 0x7d || byte <= blank)) return -1;
    else {
      if (i === first || (point === 0 ? at < first : !isPlainDecimal(bytes, first, point, i))) return -1;
      writer.length = to;
      return i;
    }
  }
  return -1;
}

/** False where Python may write another text: `1.50`, `0.00001`. */
function isPlainDecimal(bytes: Uint8Array, first: number, point: number, end: number): boolean {
  if (bytes[end - 1] === digitZero && end - 1 !== point + 1) return false;
  return bytes[first] !== digitZero || bytes[point + 1] !== digitZero || end - 1 === point + 1;
}

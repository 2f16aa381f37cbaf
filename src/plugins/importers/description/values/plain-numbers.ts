import type { Variable } from "../../../../core/variables/index.ts";
import { floatOf, integerOf } from "../../../../formats/bytes/index.ts";

/** Reads a plain number from bytes; NaN: the text has to be read. */
export type PlainNumbers = (bytes: Uint8Array, start: number, end: number) => number;

/** Reads entries of tables without decoding them. An entry that a word follows is not plain if it may have a unit. */
export function plainNumbers({ type, size = 8, unit }: Variable): PlainNumbers {
  const read = type === "float" ? floatOf : size === 8 ? integerOf : smallIntegers(size);
  if (unit === undefined) return read;
  return (bytes, start, end) => (isWordAfter(bytes, end) ? Number.NaN : read(bytes, start, end));
}

function smallIntegers(size: 2 | 4): PlainNumbers {
  const most = size === 4 ? 2_147_483_647 : 32_767;
  return (bytes, start, end) => {
    const value = integerOf(bytes, start, end);
    return value <= most && value >= -most - 1 ? value : Number.NaN;
  };
}

/** True when the next entry begins like a unit: with a letter, `%`, `$`, `(`, `[`, a micro sign or `1/`. */
function isWordAfter(bytes: Uint8Array, end: number): boolean {
  let at = end;
  while (bytes[at] === 32 || bytes[at] === 9) at += 1;
  const byte = bytes[at] ?? 10;
  if (byte < 48) return byte === 36 || byte === 37 || byte === 40;
  if (byte < 64) return byte === 49 && bytes[at + 1] === 47;
  return byte < 128 ? byte <= 91 || (byte >= 97 && byte <= 122) : true;
}

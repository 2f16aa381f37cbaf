/**
 * The Unicode encoding of a leading byte order mark, and the length of the mark in bytes (0 without a mark).
 */
export function byteOrderMark([first, second, third]: Uint8Array): {
  readonly length: number;
  readonly encoding?: "utf-8" | "utf-16le" | "utf-16be";
} {
  if (first === 0xef && second === 0xbb && third === 0xbf) return { length: 3, encoding: "utf-8" };
  if (first === 0xff && second === 0xfe) return { length: 2, encoding: "utf-16le" };
  if (first === 0xfe && second === 0xff) return { length: 2, encoding: "utf-16be" };
  return { length: 0 };
}

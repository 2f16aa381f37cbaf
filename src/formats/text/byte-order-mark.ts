/**
 * The encoding of Unicode that a byte order mark at the beginning tells, and the bytes of the mark; 0: there is none.
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

/**
 * Bytes as UTF-8, as far as a byte order mark tells: UTF-16 is recoded, the mark of UTF-8 is dropped, everything else passes unchanged.
 * Text without a mark may still turn out not to be UTF-8: see ByteText.
 */
export async function* withoutMark(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let head: Uint8Array | undefined = new Uint8Array(0);
  let recode: ((piece: Uint8Array) => Uint8Array) | undefined;
  for await (const piece of source) {
    let rest = piece;
    if (head) {
      rest = joined(head, piece);
      head = rest.length < 3 ? rest : undefined;
      if (head) continue;
      const mark = markOf(rest);
      recode = mark.encoding ? recoder(mark.encoding) : undefined;
      rest = rest.subarray(mark.length);
    }
    if (rest.length > 0) yield recode ? recode(rest) : rest;
  }
  if (head && head.length > 0) yield head;
}

function joined(head: Uint8Array, piece: Uint8Array): Uint8Array {
  if (head.length === 0) return piece;
  const whole = new Uint8Array(head.length + piece.length);
  whole.set(head);
  whole.set(piece, head.length);
  return whole;
}

function markOf([first, second, third]: Uint8Array): { length: number; encoding?: string } {
  if (first === 0xef && second === 0xbb && third === 0xbf) return { length: 3 };
  if (first === 0xff && second === 0xfe) return { length: 2, encoding: "utf-16le" };
  if (first === 0xfe && second === 0xff) return { length: 2, encoding: "utf-16be" };
  return { length: 0 };
}

/** A half character at the end of a piece waits for the next; one at the end of the input is dropped. */
function recoder(encoding: string): (piece: Uint8Array) => Uint8Array {
  const decoder = new TextDecoder(encoding);
  const encoder = new TextEncoder();
  return (piece) => encoder.encode(decoder.decode(piece, { stream: true }));
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
/** WHATWG's latin1 is windows-1252: it gives every byte one character, and no two bytes the same. */
const latin1 = new TextDecoder("latin1");
const encoder = new TextEncoder();

/** A text as `ByteText.bytes` spells it: one character per byte of its UTF-8. */
export function byteSpelling(text: string): string {
  return latin1.decode(encoder.encode(text));
}

/** Bytes that can be searched as a string: `text` has one character per byte, so that offsets are the same in both. */
export class ByteText {
  readonly bytes: Uint8Array;
  readonly text: string;
  private readonly plain: boolean;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    const decoded = decodeUtf8(bytes);
    this.plain = decoded?.length === bytes.length;
    this.text = this.plain && decoded !== undefined ? decoded : latin1.decode(bytes);
  }

  /**
   * The text between two offsets: UTF-8, or latin1 where it is not (told to `foreign`). NUL, which no database keeps in text, is
   * written `\0`.
   */
  slice(start: number, end: number, foreign: () => void): string {
    const text = this.plain ? this.text.slice(start, end) : this.decoded(start, end, foreign);
    return text.includes("\0") ? text.replaceAll("\0", String.raw`\0`) : text;
  }

  private decoded(start: number, end: number, foreign: () => void): string {
    const part = this.bytes.subarray(start, end);
    const text = decodeUtf8(part);
    if (text !== undefined) return text;
    foreign();
    return latin1.decode(part);
  }
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

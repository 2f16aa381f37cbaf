import { byteOrderMark } from "./byte-order-mark.ts";

/** Input encodings that a user can select. */
export const encodings = ["utf-8", "utf-16le", "utf-16be", "latin1"] as const;
export type Encoding = (typeof encodings)[number];

/** Bytes examined to detect the encoding. */
const headSize = 4096;

/**
 * Converts input bytes to UTF-8. Without `encoding`, a byte order mark or the NULs of UTF-16 text select one; other
 * bytes pass unchanged and need not be valid UTF-8 (see ByteText). A byte order mark is removed. Line ends that are
 * lone carriage returns become newlines. `halved` is called if UTF-16 input ends within a character, which is dropped.
 */
export async function* decodeInput(
  source: AsyncIterable<Uint8Array>,
  encoding?: Encoding,
  halved: () => void = () => {},
): AsyncGenerator<Uint8Array> {
  let head: Uint8Array | undefined = new Uint8Array(0);
  let recode: Recode = plain;
  for await (const piece of source) {
    let rest = piece;
    if (head) {
      rest = concatenated(head, piece);
      head = rest.length < headSize ? rest : undefined;
      if (head) continue;
      [recode, rest] = recoderFor(rest, encoding);
    }
    if (rest.length > 0) yield recode.piece(rest);
  }
  if (head) {
    const [last, rest] = recoderFor(head, encoding);
    recode = last;
    if (rest.length > 0) yield last.piece(rest);
  }
  if (recode.endsAmid()) halved();
}

interface Recode {
  piece(piece: Uint8Array): Uint8Array;
  /** At the end of the input: whether it ended within a character. */
  endsAmid(): boolean;
}

const plain: Recode = { piece: (piece) => piece, endsAmid: () => false };

/** The recoder for an input, and its head without the byte order mark. */
function recoderFor(complete: Uint8Array, given: Encoding | undefined): [Recode, Uint8Array] {
  const mark = byteOrderMark(complete);
  const known = given ?? mark.encoding;
  const rest = complete.subarray(known === undefined || known === mark.encoding ? mark.length : 0);
  const head = rest.subarray(0, headSize);
  const encoding = known ?? guess(head);
  const recode = encoding === "utf-8" || encoding === undefined ? plain : recoder(encoding);
  const text = encoding?.startsWith("utf-16") ? head.filter((byte) => byte !== 0) : head;
  const hasReturns = text.includes(carriageReturn) && !text.includes(newline);
  return [hasReturns ? { ...recode, piece: (piece) => withNewlines(recode.piece(piece)) } : recode, rest];
}

const [newline, carriageReturn] = [10, 13];

function withNewlines(piece: Uint8Array): Uint8Array {
  return piece.map((byte) => (byte === carriageReturn ? newline : byte));
}

/** Detects UTF-16 without a byte order mark: in Latin text every second byte is NUL and no other byte is. */
function guess(head: Uint8Array): Encoding | undefined {
  const nuls = [0, 0];
  for (let at = 0; at < head.length; at++) if (head[at] === 0) nuls[at & 1] = (nuls[at & 1] ?? 0) + 1;
  const [even = 0, odd = 0] = nuls;
  const many = Math.max(4, head.length * 0.35);
  if (odd >= many && even * 50 < odd) return "utf-16le";
  return even >= many && odd * 50 < even ? "utf-16be" : undefined;
}

function concatenated(head: Uint8Array, piece: Uint8Array): Uint8Array {
  if (head.length === 0) return piece;
  const complete = new Uint8Array(head.length + piece.length);
  complete.set(head);
  complete.set(piece, head.length);
  return complete;
}

/** An incomplete character at the end of a piece waits for the next piece; at the end of the input it is dropped. */
function recoder(encoding: Encoding): Recode {
  const decoder = new TextDecoder(encoding);
  const encoder = new TextEncoder();
  return {
    piece: (piece) => encoder.encode(decoder.decode(piece, { stream: true })),
    endsAmid: () => decoder.decode() !== "",
  };
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
/** WHATWG's latin1 is windows-1252: a one-to-one mapping from bytes to characters. */
const latin1 = new TextDecoder("latin1");
const encoder = new TextEncoder();

/** A text as in `ByteText.text`: one character per byte of its UTF-8. */
export function byteSpelling(text: string): string {
  return latin1.decode(encoder.encode(text));
}

/** Bytes that can be searched as a string: `text` has one character per byte, so offsets are the same in both. */
export class ByteText {
  readonly bytes: Uint8Array;
  readonly text: string;
  /** The text is the last line of the input, which had no newline: it may have been cut off. */
  readonly isUnfinished: boolean;
  readonly #plain: boolean;

  constructor(bytes: Uint8Array, isUnfinished = false) {
    this.bytes = bytes;
    this.isUnfinished = isUnfinished;
    const decoded = decodeUtf8(bytes);
    this.#plain = decoded?.length === bytes.length;
    this.text = this.#plain && decoded !== undefined ? decoded : latin1.decode(bytes);
  }

  /**
   * The text between two offsets, decoded as UTF-8, or as latin1 if it is not valid UTF-8; then `foreign` is called.
   * NUL, which databases cannot store in text, becomes `\0`.
   */
  textBetween(start: number, end: number, foreign: () => void): string {
    const text = this.#plain ? this.text.slice(start, end) : this.#decoded(start, end, foreign);
    return text.includes("\0") ? text.replaceAll("\0", String.raw`\0`) : text;
  }

  #decoded(start: number, end: number, foreign: () => void): string {
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

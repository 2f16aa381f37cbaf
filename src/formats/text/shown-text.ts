const [newline, carriageReturn, escape, bell] = [0x0a, 0x0d, 0x1b, 0x07];
const [leftBracket, rightBracket, leftParenthesis, backslash] = [0x5b, 0x5d, 0x28, 0x5c];

/** Text as a terminal shows it. */
export interface ShownText {
  readonly bytes: Uint8Array;
  /** 0-based numbers of the lines in `bytes` that have written over their own text, in order. */
  readonly overwritten: readonly number[];
}

/**
 * UTF-8 text as a terminal shows it in the end: a line with a carriage return before its end writes over its own
 * beginning, as progress displays do, and codes of terminals are no text. `given`: complete lines.
 */
export function shownText(given: Uint8Array): ShownText {
  // A buffer searches several times as fast as a Uint8Array.
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.length);
  const overwritten: number[] = [];
  const pieces: Uint8Array[] = [];
  let [at, counted, line] = [0, 0, 0];
  for (let next = returnWithin(bytes, 0); next >= 0; next = returnWithin(bytes, at)) {
    const start = bytes.lastIndexOf(newline, next) + 1;
    const end = lineEnd(bytes, next);
    const shown = shownLine(bytes.subarray(start, end));
    line += newlinesIn(bytes, counted, start);
    counted = start;
    if (shown.isOverwritten) overwritten.push(line);
    pieces.push(bytes.subarray(at, start), shown.bytes);
    at = end;
  }
  const all = pieces.length === 0 ? bytes : Buffer.concat([...pieces, bytes.subarray(at)]);
  return { bytes: withoutTerminalCodes(all), overwritten };
}

/** The offset of the next carriage return that text of its line follows; -1: none. */
function returnWithin(bytes: Buffer, from: number): number {
  let at = bytes.indexOf(carriageReturn, from);
  while (at >= 0) {
    let after = at + 1;
    while (bytes[after] === carriageReturn) after += 1;
    if (after < bytes.length && bytes[after] !== newline) return at;
    at = bytes.indexOf(carriageReturn, after);
  }
  return at;
}

/** The offset of the line's end, which may begin with carriage returns. */
function lineEnd(bytes: Buffer, from: number): number {
  const at = bytes.indexOf(newline, from);
  let end = at < 0 ? bytes.length : at;
  while (bytes[end - 1] === carriageReturn) end -= 1;
  return end;
}

function newlinesIn(bytes: Buffer, from: number, to: number): number {
  let count = 0;
  for (let at = bytes.indexOf(newline, from); at >= 0 && at < to; at = bytes.indexOf(newline, at + 1)) count += 1;
  return count;
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

/** Text that is not UTF-8 has one character per byte. */
function shownLine(bytes: Uint8Array): { readonly bytes: Uint8Array; readonly isOverwritten: boolean } {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    const { text: shown, isOverwritten } = overlaid(Buffer.from(bytes).toString("latin1"));
    return { bytes: Buffer.from(shown, "latin1"), isOverwritten };
  }
  const { text: shown, isOverwritten } = overlaid(text);
  return { bytes: encoder.encode(shown), isOverwritten };
}

/** Plain characters, or a code. The codes `ESC [ K` erase a part of the line. */
// eslint-disable-next-line no-control-regex -- codes begin with a control character
const unit = /[^\r\b\u001b]+|\u001b\[(?<erased>[0-2]?)K|\u001b\[[ -?]*[@-~]|\u001b\([@-~]|[^]/gu;

/** What the characters leave on one line of a terminal. */
function overlaid(text: string): { readonly text: string; readonly isOverwritten: boolean } {
  const line = new TerminalLine();
  for (const { 0: written, groups } of text.matchAll(unit)) {
    const erased = groups?.["erased"];
    if (erased !== undefined) line.erase(erased);
    else if (written === "\r") line.cursor = 0;
    else if (written === "\b") line.cursor = Math.max(0, line.cursor - 1);
    else if (!isCode(written)) for (const character of written) line.write(character);
  }
  return { text: line.text, isOverwritten: line.isOverwritten };
}

class TerminalLine {
  cursor = 0;
  isOverwritten = false;
  readonly #cells: string[] = [];
  /** Cells before it are blank: erasing them again would take quadratic time. */
  #blank = 0;

  get text(): string {
    return this.#cells.join("").trimEnd();
  }

  write(character: string): void {
    const before = this.#cells[this.cursor] ?? " ";
    this.isOverwritten ||= before !== " " && before !== character;
    this.#cells[this.cursor] = character;
    this.#blank = Math.min(this.#blank, this.cursor);
    this.cursor += 1;
  }

  /** `part`: to the end of the line if empty or `0`, from its beginning if `1`, all of it if `2`. */
  erase(part: string): void {
    const { cursor } = this;
    if (part !== "1") this.#cells.length = Math.min(this.#cells.length, cursor);
    if (part === "" || part === "0") return;
    this.#cells.fill(" ", this.#blank, cursor);
    this.#blank = Math.max(this.#blank, cursor);
  }
}

/** A single escape is text. */
function isCode(written: string): boolean {
  return written.length > 1 && written.startsWith("\u001b");
}

/**
 * UTF-8 text without the codes of terminals that colour it or set titles: `ESC [ … m` and other control sequences,
 * `ESC ] … BEL`, `ESC ( B`. Other escapes stay. A code never reaches beyond its line.
 */
function withoutTerminalCodes(bytes: Buffer): Uint8Array {
  let next = bytes.indexOf(escape);
  if (next < 0) return bytes;
  const kept = new Uint8Array(bytes.length);
  let [length, at] = [0, 0];
  while (next >= 0) {
    const end = codeEnd(bytes, next);
    const from = at;
    at = Math.max(end, next + 1);
    const piece = bytes.subarray(from, end > next ? next : at);
    kept.set(piece, length);
    length += piece.length;
    next = bytes.indexOf(escape, at);
  }
  kept.set(bytes.subarray(at), length);
  return kept.subarray(0, length + bytes.length - at);
}

/** The offset after the code that begins with the escape at `start`; `start`: it is none. */
function codeEnd(bytes: Uint8Array, start: number): number {
  const kind = bytes[start + 1];
  if (kind === leftParenthesis) return isFinal(bytes[start + 2]) ? start + 3 : start;
  if (kind === leftBracket) {
    let at = start + 2;
    while (isBetween(bytes[at], 0x20, 0x3f)) at += 1;
    return isFinal(bytes[at]) ? at + 1 : start;
  }
  if (kind !== rightBracket) return start;
  for (let at = start + 2; at < bytes.length && bytes[at] !== newline; at++) {
    if (bytes[at] === bell) return at + 1;
    if (bytes[at] === escape) return bytes[at + 1] === backslash ? at + 2 : start;
  }
  return start;
}

function isFinal(byte: number | undefined): boolean {
  return isBetween(byte, 0x40, 0x7e);
}

function isBetween(byte: number | undefined, least: number, most: number): boolean {
  return byte !== undefined && byte >= least && byte <= most;
}

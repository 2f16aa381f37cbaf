import type { Failure } from "../../core/failures/index.ts";

/** Maximum length of a value, which has to fit into one string. */
const longestValue = 500 << 20;
const firstWindow = 1 << 18;

export interface WindowOptions {
  /** Invalid UTF-8 is refused; otherwise it becomes U+FFFD. */
  readonly isStrict?: boolean;
}

/**
 * The part of a streamed JSON document that was read and not yet consumed: UTF-8 with or without a byte order mark.
 */
export class JsonWindow {
  readonly refuse: (reason: string) => Failure;
  readonly #pieces: AsyncIterator<Uint8Array>;
  readonly #decoder: InstanceType<typeof TextDecoder>;
  /** A 0 follows `end`, so loops that stop at 0 need no bounds check. */
  bytes = new Uint8Array(firstWindow);
  pos = 0;
  end = 0;
  /** Offset of the first of `bytes` in the document. */
  base = 0;
  #isStarted = false;

  constructor(
    pieces: AsyncIterator<Uint8Array>,
    refuse: (reason: string) => Failure,
    { isStrict = false }: WindowOptions = {},
  ) {
    this.#pieces = pieces;
    this.refuse = refuse;
    this.#decoder = new TextDecoder("utf-8", { ignoreBOM: true, fatal: isStrict });
  }

  notJson(): Failure {
    return this.refuse("it is invalid or truncated JSON");
  }

  /** Moves to the next non-blank byte and returns it; −1 at the end of the document. */
  async next(): Promise<number> {
    if (!this.#isStarted) await this.#passMark();
    for (;;) {
      while (isBlank(this.bytes[this.pos]!)) this.pos++;
      if (this.pos < this.end) return this.bytes[this.pos]!;
      if (!(await this.fill())) return -1;
    }
  }

  isBlankUntil(end: number): boolean {
    let at = this.pos;
    while (at < end && isBlank(this.bytes[at]!)) at++;
    return at >= end;
  }

  /** Consumes and decodes the bytes before `end`. */
  text(end: number): string {
    const text = this.#decoded(end);
    this.pos = end;
    return text;
  }

  #decoded(end: number): string {
    try {
      return this.#decoder.decode(this.bytes.subarray(this.pos, end));
    } catch {
      throw this.notJson();
    }
  }

  /** Adds the next piece, which may move all bytes; false at the end of the source. */
  async fill(): Promise<boolean> {
    const { done, value } = await this.#pieces.next();
    if (done === true) return false;
    if (this.end + value.length >= this.bytes.length) this.#makeRoom(value.length);
    this.bytes.set(value, this.end);
    this.end += value.length;
    this.bytes[this.end] = 0;
    return true;
  }

  #makeRoom(more: number): void {
    const from = this.bytes;
    const held = this.end - this.pos;
    if (held + more > longestValue) throw this.refuse(`a value in it has more than ${longestValue >> 20} MiB`);
    if ((held + more) * 2 >= from.length) this.bytes = new Uint8Array((held + more) * 2 + 1);
    this.bytes.set(from.subarray(this.pos, this.end));
    this.base += this.pos;
    [this.pos, this.end] = [0, held];
  }

  async #passMark(): Promise<void> {
    this.#isStarted = true;
    while (this.end < 3 && (await this.fill()));
    if (this.bytes[0] === 0xef && this.bytes[1] === 0xbb && this.bytes[2] === 0xbf) this.pos = 3;
  }
}

export function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

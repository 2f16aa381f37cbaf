import type { Failure } from "../../core/failures/index.ts";
import { JsonBoundaries } from "./json-boundaries.ts";
import { isBlank, JsonWindow, type WindowOptions } from "./json-window.ts";
import type { NumberList } from "../bytes/index.ts";

/** Maximum length of a number. */
const longestNumber = 400;
const longestKey = 1 << 16;
/** Deeper objects are read at once when they are skipped. */
const deepestWalk = 8;

const [quote, comma, colon, minus, zero, nine, letterN] = [0x22, 0x2c, 0x3a, 0x2d, 0x30, 0x39, 0x6e] as const;
const [openObject, closeObject, openList, closeList] = [0x7b, 0x7d, 0x5b, 0x5d] as const;

/**
 * Reads a JSON document from pieces of any size, in UTF-8 with or without a byte order mark; `walk` has to consume its
 * one value. Invalid and truncated JSON is refused with `refuse`.
 */
export async function readJsonStream<T>(
  source: AsyncIterable<Uint8Array>,
  refuse: (reason: string) => Failure,
  walk: (json: JsonStream) => Promise<T>,
  options?: WindowOptions,
): Promise<T> {
  const pieces = source[Symbol.asyncIterator]();
  try {
    const window = new JsonWindow(pieces, refuse, options);
    const read = await walk(new JsonStream(window));
    if ((await window.next()) >= 0) throw window.notJson();
    return read;
  } finally {
    await pieces.return?.();
  }
}

/**
 * A cursor over a streamed JSON document. It buffers only the requested value, or the elements of a list that one piece
 * completes. `what` names the value in messages.
 */
export class JsonStream {
  readonly #window: JsonWindow;

  constructor(window: JsonWindow) {
    this.#window = window;
  }

  /** Whether the value is a list. */
  async isList(): Promise<boolean> {
    return (await this.#window.next()) === openList;
  }

  async isObject(): Promise<boolean> {
    return (await this.#window.next()) === openObject;
  }

  async isText(): Promise<boolean> {
    return (await this.#window.next()) === quote;
  }

  /** Whether the value starts like null. */
  async isNull(): Promise<boolean> {
    return (await this.#window.next()) === letterN;
  }

  /** Reads an object. `visit` is called with each key and has to consume the value. */
  async members(what: string, visit: (key: string) => Promise<void>): Promise<void> {
    const keys = new Set<string>();
    await this.#open(openObject, `${what} is not an object`);
    if ((await this.#window.next()) === closeObject) return void this.#window.pos++;
    do {
      const key = await this.#key();
      if (keys.has(key)) throw this.#window.refuse(`${what} has '${key.slice(0, 80)}' twice`);
      keys.add(key);
      await visit(key);
    } while (await this.#isMore(closeObject));
  }

  /** Reads a list. `visit` has to consume one element per call. */
  async each(what: string, visit: () => Promise<void>): Promise<void> {
    await this.#open(openList, `${what} is not a list`);
    if ((await this.#window.next()) === closeList) return void this.#window.pos++;
    do await visit();
    while (await this.#isMore(closeList));
  }

  /** Reads the value. */
  async value(): Promise<unknown> {
    await this.#window.next();
    const boundaries = new JsonBoundaries(this.#window);
    let end = boundaries.next();
    while (end < 0) {
      if (!(await this.#window.fill())) break;
      end = boundaries.next();
    }
    return this.#parsed(end < 0 ? this.#window.end : end);
  }

  /** Skips the value. Lists need no memory unless they are nested in lists. */
  async skip(depth = 0): Promise<void> {
    if (await this.isList()) await this.elements("a list", () => {});
    else if (depth < deepestWalk && (await this.isObject())) await this.#skipMembers(depth);
    else await this.value();
  }

  async #skipMembers(depth: number): Promise<void> {
    this.#window.pos++;
    if ((await this.#window.next()) === closeObject) return void this.#window.pos++;
    do {
      await this.#key();
      await this.skip(depth + 1);
    } while (await this.#isMore(closeObject));
  }

  /**
   * Passes the elements of a list to `take` in batches of one piece each. `mayBeOpen`: the list may end with a comma,
   * and the closing bracket may be missing.
   */
  async elements(what: string, take: (values: readonly unknown[]) => void, mayBeOpen = false): Promise<void> {
    const window = this.#window;
    await this.#open(openList, `${what} is not a list`);
    if ((await window.next()) === closeList) return void window.pos++;
    const boundaries = new JsonBoundaries(window);
    let end: number;
    do {
      const { last, close } = lastOf(boundaries, window);
      if (last >= 0 && (close < 0 || mayBeOpen)) take(this.#elementsUntil(last));
      end = close;
    } while (end < 0 && (await window.fill()));
    if (end < 0 && !mayBeOpen) throw window.notJson();
    const stop = end < 0 ? window.end : end;
    if (!mayBeOpen || !window.isBlankUntil(stop)) take(this.#elementsUntil(stop));
    if (end >= 0 && window.bytes[end] !== closeList) throw window.notJson();
    window.pos = end < 0 ? stop : stop + 1;
  }

  /** Adds the elements of a list of finite numbers to `list`. */
  async numbers(what: string, list: NumberList): Promise<void> {
    await this.#open(openList, `${what} is not a list`);
    if ((await this.#window.next()) === closeList) return void this.#window.pos++;
    while (!this.#takeNumbers(what, list)) if (!(await this.#window.fill())) throw this.#window.notJson();
  }

  /** Reads the numbers that are complete in the window; true at the end of the list. */
  #takeNumbers(what: string, list: NumberList): boolean {
    const window = this.#window;
    const { bytes } = window;
    for (let at = window.pos; ; at = window.pos) {
      while (isBlank(bytes[at]!)) at++;
      window.pos = at;
      const start = bytes[at] === minus ? at + 1 : at;
      let [value, stop] = [0, start];
      for (let byte = bytes[stop]!; byte >= zero && byte <= nine; byte = bytes[++stop]!)
        value = value * 10 + byte - zero;
      const isPlain = stop > start && stop - start <= 15 && (bytes[start] !== zero || stop === start + 1);
      if (isPlain && (bytes[stop] === comma || bytes[stop] === closeList)) list.push(start > at ? 0 - value : value);
      else {
        while (bytes[stop] !== comma && bytes[stop] !== closeList && stop < window.end && stop - at <= longestNumber)
          stop++;
        if (stop >= window.end) return false;
        list.push(this.#number(stop, what));
      }
      window.pos = stop + 1;
      if (bytes[stop] === closeList) return true;
    }
  }

  #number(end: number, what: string): number {
    const text = this.#window.text(end).trimEnd();
    const value = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text) ? Number(text) : Number.NaN;
    if (Number.isFinite(value)) return value;
    throw this.#window.refuse(`an element of ${what} is not a number`);
  }

  async #open(bracket: number, problem: string): Promise<void> {
    const byte = await this.#window.next();
    if (byte < 0) throw this.#window.notJson();
    if (byte !== bracket) throw this.#window.refuse(problem);
    this.#window.pos++;
  }

  /** Moves past a comma and returns true, or past the closing bracket and returns false. */
  async #isMore(bracket: number): Promise<boolean> {
    const byte = await this.#window.next();
    if (byte !== comma && byte !== bracket) throw this.#window.notJson();
    this.#window.pos++;
    return byte === comma;
  }

  async #key(): Promise<string> {
    const window = this.#window;
    if ((await window.next()) !== quote) throw window.notJson();
    let end = this.#stringEnd();
    while (end < 0) {
      if (window.end - window.pos > longestKey || !(await window.fill())) throw window.notJson();
      end = this.#stringEnd();
    }
    const key = this.#parsed(end) as string;
    if ((await window.next()) !== colon) throw window.notJson();
    window.pos++;
    return key;
  }

  /** The end of the string at the cursor; −1 if it is not in this window. */
  #stringEnd(): number {
    const { bytes, pos, end } = this.#window;
    for (let at = pos + 1; at < end; at++) {
      if (bytes[at] === 0x5c) at++;
      else if (bytes[at] === quote) return at + 1;
    }
    return -1;
  }

  #elementsUntil(end: number): readonly unknown[] {
    const values = this.#parsed(end, true) as readonly unknown[];
    // The piece may start after a comma.
    if (values.length === 0) throw this.#window.notJson();
    this.#window.pos++;
    return values;
  }

  #parsed(end: number, isElements = false): unknown {
    const text = this.#window.text(end);
    try {
      return JSON.parse(isElements ? `[${text}]` : text);
    } catch {
      throw this.#window.notJson();
    }
  }
}

/**
 * The offsets of the last comma between elements in the window and of the closing bracket; −1 if there is none.
 */
function lastOf(boundaries: JsonBoundaries, window: JsonWindow): { readonly last: number; readonly close: number } {
  let last = -1;
  for (let at = boundaries.next(); at >= 0; at = boundaries.next()) {
    if (window.bytes[at] !== comma) return { last, close: at };
    last = at;
  }
  return { last, close: -1 };
}

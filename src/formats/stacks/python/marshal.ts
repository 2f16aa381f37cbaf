import { Failure } from "../../../core/failures/index.ts";

/** A value of Python. Tuples and lists are arrays. */
export type MarshalValue = null | boolean | number | string | readonly MarshalValue[] | MarshalDict;

/** The pairs of a dict, in order; a key may occur twice. */
export class MarshalDict {
  readonly pairs: (readonly [MarshalValue, MarshalValue])[] = [];
}

/** Deeper values would exhaust the stack; statistics have five levels. */
const deepest = 50;
/** A flag of the type: later values refer to this one. */
const flagged = 0x80;
/** The end of a dict, in the position of a key. */
const end = Symbol("end");

const codes = (types: string): ReadonlySet<number> => new Set(Array.from(types, (type) => type.charCodeAt(0)));
const [numeric, strings] = [codes("giIfl"), codes("zZsauAtR")];

/**
 * Decodes a value of Python's marshal format, versions 0 to 5 (Python 2 and 3, Doc/library/marshal.rst and
 * Python/marshal.c of CPython). Code objects, sets and complex numbers are refused. `format` is named in messages.
 * Fails with `bad-stack-profile`.
 */
export class MarshalReader {
  readonly #view: DataView;
  readonly #bytes: Uint8Array;
  readonly #file: string;
  readonly #format: string;
  readonly #references: (MarshalValue | undefined)[] = [];
  readonly #interned: string[] = [];
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  #at = 0;

  constructor(bytes: Uint8Array, file: string, format: string) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#file = file;
    this.#format = format;
  }

  bad(reason: string): Failure {
    return new Failure("bad-stack-profile", { file: this.#file, format: this.#format, reason });
  }

  /** Whether all bytes are read. */
  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  /** Enters a dict; its pairs are read one by one with `pair`. */
  beginDict(): void {
    const code = this.#byte();
    if ((code & ~flagged) !== 0x7b) throw this.bad("it does not begin with a dict");
    if ((code & flagged) !== 0) this.#references.push(undefined);
  }

  /** The next pair of the dict that was entered; undefined after the last one. */
  pair(): readonly [MarshalValue, MarshalValue] | undefined {
    const key = this.#value(1);
    return key === end ? undefined : [key, this.#known(1)];
  }

  #known(depth: number): MarshalValue {
    const value = this.#value(depth);
    if (value === end) throw this.bad(`a value is missing at byte ${this.#at}`);
    return value;
  }

  #value(depth: number): MarshalValue | typeof end {
    if (depth > deepest) throw this.bad(`it has more than ${deepest} nested values`);
    const code = this.#byte();
    if ((code & flagged) === 0) return this.#ofType(code, depth);
    const reference = this.#references.push(undefined) - 1;
    const value = this.#ofType(code & ~flagged, depth);
    if (value !== end) this.#references[reference] = value;
    return value;
  }

  #ofType(code: number, depth: number): MarshalValue | typeof end {
    const type = String.fromCharCode(code);
    if (numeric.has(code)) return this.#number(type);
    return strings.has(code) ? this.#string(type) : this.#container(type, depth);
  }

  #number(type: string): number {
    if (type === "g") return this.#view.getFloat64(this.#skip(8), true);
    if (type === "i") return this.#view.getInt32(this.#skip(4), true);
    if (type === "I") return Number(this.#view.getBigInt64(this.#skip(8), true));
    return type === "f" ? this.#printedNumber(this.#text(this.#byte())) : this.#long();
  }

  #printedNumber(text: string): number {
    if (!/^-?\d+(?:\.\d+)?(?:e[-+]?\d+)?$/i.test(text)) throw this.bad(`'${text.slice(0, 40)}' is not a number`);
    return Number(text);
  }

  /** Digits of 15 bits, the lowest first; the sign is that of their number. */
  #long(): number {
    const count = this.#view.getInt32(this.#skip(4), true);
    const digits = Math.abs(count);
    const from = this.#skip(digits * 2);
    let value = 0;
    for (let at = digits - 1; at >= 0; at--) value = value * 0x8000 + this.#view.getUint16(from + 2 * at, true);
    return count < 0 ? -value : value;
  }

  #string(type: string): string {
    if (type === "R") return this.#referred(this.#interned);
    const text = this.#text(type === "z" || type === "Z" ? this.#byte() : this.#size());
    if (type === "t") this.#interned.push(text);
    return text;
  }

  #container(type: string, depth: number): MarshalValue | typeof end {
    if (type === "0") return end;
    if (type === "r") return this.#referred(this.#references);
    if (type === ")") return this.#list(this.#byte(), depth);
    if (type === "(" || type === "[") return this.#list(this.#size(), depth);
    if (type === "{") return this.#dict(depth);
    if (type === "N") return null;
    if (type === "T" || type === "F") return type === "T";
    if (type === "c") throw this.bad("it holds code objects, as 'python -m profile' writes; use 'python -m cProfile'");
    throw this.bad(`the value at byte ${this.#at - 1} has no type of statistics`);
  }

  #referred<Value>(values: readonly (Value | undefined)[]): Value {
    const value = values[this.#size()];
    if (value === undefined) throw this.bad(`the reference at byte ${this.#at - 4} has no value`);
    return value;
  }

  #list(length: number, depth: number): MarshalValue[] {
    // Every element takes a byte at least.
    if (length > this.#bytes.length - this.#at) throw this.bad("it is truncated");
    return Array.from({ length }, () => this.#known(depth + 1));
  }

  #dict(depth: number): MarshalDict {
    const dict = new MarshalDict();
    for (;;) {
      const key = this.#value(depth + 1);
      if (key === end) return dict;
      dict.pairs.push([key, this.#known(depth + 1)]);
    }
  }

  #text(length: number): string {
    const from = this.#skip(length);
    return this.#decoder.decode(this.#bytes.subarray(from, from + length));
  }

  #size(): number {
    const size = this.#view.getInt32(this.#skip(4), true);
    if (size < 0) throw this.bad(`the size at byte ${this.#at - 4} is negative`);
    return size;
  }

  #byte(): number {
    return this.#bytes[this.#skip(1)]!;
  }

  /** Passes over bytes; returns the position of the first one. */
  #skip(count: number): number {
    const from = this.#at;
    if (count > this.#bytes.length - from) throw this.bad("it is truncated");
    this.#at += count;
    return from;
  }
}

import type { Column, NumberColumn } from "../../core/tables/index.ts";
import { floatText, JsonNumber, type Json, type DataType } from "../../core/values/index.ts";
import { ByteWriter } from "../bytes/index.ts";
import { copyValue, copyPlainNumber, numberText, type JsonScanner, readValue, scalarText } from "../json/index.ts";

const missing = 0;
const integer = 1;
const float = 2;
const other = 3;

/** Powers of ten that are exact doubles. */
const tens = Array.from({ length: 23 }, (_, exponent) => 10 ** exponent);

/**
 * Builds one column of a profile: doubles with a kind each; values that do not fit a double are stored separately.
 */
export class NumberCells {
  #values = new Float64Array(64);
  #kinds = new Uint8Array(64);
  #length = 0;
  readonly #exact = new Map<number, string>();
  readonly #others = new Map<number, Json>();

  /** Leaves the cells up to `row` missing. */
  padTo(row: number): void {
    while (row > this.#values.length) this.#grow();
    this.#length = Math.max(this.#length, row);
  }

  /** Appends a number. Integers beyond the safe range keep all digits. */
  push(value: number, isInteger: boolean): void {
    if (this.#length === this.#values.length) this.#grow();
    if (isInteger && !Number.isSafeInteger(value)) this.#exact.set(this.#length, BigInt(value).toString());
    this.#put(value, isInteger ? integer : float);
    this.#length++;
  }

  /** Appends the validated value at the cursor. */
  read(scanner: JsonScanner): void {
    if (this.#length === this.#values.length) this.#grow();
    const first = scanner.blanks()!;
    if (first === 0x2d || (first >= 0x30 && first <= 0x39)) this.#readNumber(scanner);
    else this.#readOther(scanner);
    this.#length++;
  }

  #readNumber(scanner: JsonScanner): void {
    const { bytes, pos: start } = scanner;
    let mantissa = 0;
    let point = 0;
    let at = bytes[start] === 0x2d ? start + 1 : start;
    const first = at;
    for (let byte = bytes[at]!; ; byte = bytes[++at]!) {
      if (byte >= 0x30 && byte <= 0x39) mantissa = mantissa * 10 + byte - 0x30;
      else if (byte === 0x2e) point = at;
      else break;
    }
    scanner.pos = at;
    if (at - first > 15 || (bytes[at]! | 0x20) === 0x65 || bytes[at] === 0x49) return this.#readLong(scanner, start);
    const value = point === 0 ? mantissa : mantissa / tens[at - point - 1]!;
    this.#put(first > start ? -value : value, point === 0 ? integer : float);
  }

  /** Numbers outside of the fast path: many digits, an exponent, `-Infinity`. */
  #readLong(scanner: JsonScanner, start: number): void {
    scanner.pos = start;
    scanner.pass();
    const text = numberText(scanner.bytes, start, scanner.pos);
    const value = Number(text);
    const isInteger = /^-?\d+$/.test(text);
    this.#put(value, isInteger ? integer : float);
    if (isInteger && !Number.isSafeInteger(value)) this.#exact.set(this.#length, text);
  }

  #readOther(scanner: JsonScanner): void {
    const json = readValue(scanner);
    if (json instanceof JsonNumber) return this.#put(json.value, float);
    this.#put(NaN, other);
    this.#others.set(this.#length, json);
  }

  #put(value: number, kind: number): void {
    // JSON has an integer -0; Python reads it as 0.
    this.#values[this.#length] = kind === integer && value === 0 ? 0 : value;
    this.#kinds[this.#length] = kind;
  }

  #grow(): void {
    const [values, kinds] = [this.#values, this.#kinds];
    this.#values = new Float64Array(values.length * 2);
    this.#kinds = new Uint8Array(values.length * 2);
    this.#values.set(values);
    this.#kinds.set(kinds);
  }

  /** The finished column of `rows` rows. A column with cells that are not numbers becomes an interned one. */
  finish(rows: number): { readonly type: DataType; readonly column: Column } {
    this.padTo(rows);
    const kinds = this.#kinds.subarray(0, rows);
    if (this.#others.size > 0) return { type: "text", column: this.#interned(rows) };
    const hasFloats = kinds.includes(float);
    const column: NumberColumn = {
      kind: "number",
      values: this.#values.slice(0, rows),
      missing: kinds.includes(missing) ? kinds.map((kind) => Number(kind === missing)) : null,
      exact: this.#exact.size > 0 ? this.#exact : null,
      ...(hasFloats && kinds.includes(integer) ? { integers: kinds.map((kind) => Number(kind === integer)) } : {}),
    };
    return { type: hasFloats ? "float" : "integer", column };
  }

  #interned(rows: number): Column {
    const dictionary: Json[] = [];
    const known = new Map<string, number>();
    const codes = new Int32Array(rows).fill(-1);
    for (let row = 0; row < rows; row++) {
      if (this.#kinds[row] === missing) continue;
      const json = this.#json(row);
      // Nested values are rare in columns: each gets its own entry.
      const key =
        typeof json === "object" && json !== null && !(json instanceof JsonNumber) ? `row ${row}` : scalarText(json);
      const code = known.get(key) ?? dictionary.push(json) - 1;
      known.set(key, code);
      codes[row] = code;
    }
    return { kind: "interned", dictionary, codes };
  }

  #json(row: number): Json {
    if (this.#kinds[row] === other) return this.#others.get(row)!;
    const value = this.#values[row]!;
    if (this.#kinds[row] === float) return new JsonNumber(floatText(value));
    return new JsonNumber(this.#exact.get(row) ?? String(value));
  }
}

/** A growing list of integers in [0, 2^32), four bytes each. */
class IntegerList {
  #values = new Uint32Array(1024);
  length = 0;

  push(value: number): void {
    if (this.length === this.#values.length) {
      const grown = new Uint32Array(this.length * 2);
      grown.set(this.#values);
      this.#values = grown;
    }
    this.#values[this.length++] = value;
  }

  at(index: number): number {
    return this.#values[index]!;
  }
}

/**
 * Transposes printed cells from rows to columns. Cells are copied twice, each time in sequential order, because reading
 * a column from a 50 MB file by position costs a page miss per cell.
 */
export class ResourceCells {
  readonly #scanner: JsonScanner;
  /** The printed cells in order of arrival; `#columnOf` and `#ends` hold the column and end of each. */
  readonly #printed: ByteWriter;
  readonly #columnOf = new IntegerList();
  readonly #ends = new IntegerList();
  /** Bytes of each column, including a separator after each cell. */
  readonly #sizes: number[] = [];
  #sorted: { readonly bytes: Uint8Array; readonly starts: Float64Array } | null = null;

  constructor(scanner: JsonScanner) {
    this.#scanner = scanner;
    this.#printed = new ByteWriter(scanner.bytes.length);
  }

  /** Adds `count` empty columns and returns the number of the first. */
  addColumns(count: number): number {
    const first = this.#sizes.length;
    for (let i = 0; i < count; i++) this.#sizes.push(0);
    return first;
  }

  /** Appends the value at `position` to a column. */
  add(column: number, position: number): void {
    const printed = this.#printed;
    const start = printed.length;
    if (copyPlainNumber(this.#scanner.bytes, position, printed) < 0) {
      this.#scanner.pos = position;
      copyValue(this.#scanner, printed);
    }
    this.#columnOf.push(column);
    this.#ends.push(printed.length);
    this.#sizes[column]! += printed.length - start + 2;
  }

  /** Writes a column as a list. No cells can be added afterwards. */
  write(column: number, writer: ByteWriter): void {
    const { bytes, starts } = (this.#sorted ??= this.#sort());
    const start = starts[column]!;
    writer.byte(0x5b);
    writer.slice(bytes, start, start + this.#sizes[column]! - 2);
    writer.byte(0x5d);
  }

  #sort(): { readonly bytes: Uint8Array; readonly starts: Float64Array } {
    const starts = new Float64Array(this.#sizes.length);
    let total = 0;
    for (const [column, size] of this.#sizes.entries()) {
      starts[column] = total;
      total += size;
    }
    const next = starts.slice();
    const bytes = new Uint8Array(total);
    const { buffer } = this.#printed;
    let from = 0;
    for (let cell = 0; cell < this.#ends.length; cell++) {
      const column = this.#columnOf.at(cell);
      const end = this.#ends.at(cell);
      let to = next[column]!;
      while (from < end) bytes[to++] = buffer[from++]!;
      bytes[to++] = 0x2c;
      bytes[to++] = 0x20;
      next[column] = to;
    }
    return { bytes, starts };
  }
}

/** The value of a field; 64-bit integers are the nearest doubles. */
export type ThriftValue = boolean | number | Uint8Array | readonly ThriftValue[] | ThriftStruct;

/** Fields by number. */
export type ThriftStruct = ReadonlyMap<number, ThriftValue>;

/** Maximum nesting of structs; Parquet needs 6. */
const maxDepth = 16;

/** The bytes are not a struct of Thrift's compact protocol. */
export class ThriftError extends Error {}

/**
 * Reads consecutive structs of Thrift's compact protocol (thrift-compact-protocol.md). Throws `ThriftError`.
 */
export class ThriftReader {
  readonly #bytes: Uint8Array;
  readonly #end: number;
  /** Offset of the next struct. */
  at: number;

  constructor(bytes: Uint8Array, at: number, end: number) {
    this.#bytes = bytes;
    this.at = at;
    this.#end = end;
  }

  struct(depth = 0): ThriftStruct {
    if (depth > maxDepth) throw new ThriftError("structs are nested too deep");
    const fields = new Map<number, ThriftValue>();
    for (let number = 0, head = this.#byte(); head !== 0; head = this.#byte()) {
      number = head >> 4 === 0 ? this.#integer() : number + (head >> 4);
      fields.set(number, this.#value(head & 15, depth));
    }
    return fields;
  }

  #value(type: number, depth: number): ThriftValue {
    switch (type) {
      case 1:
      case 2:
        return type === 1;
      case 3:
        return (this.#byte() << 24) >> 24;
      case 4:
      case 5:
      case 6:
        return this.#integer();
      case 7:
        return new DataView(this.#take(8).slice().buffer).getFloat64(0, true);
      case 8:
        return this.#take(this.#varint());
      case 9:
      case 10:
        return this.#list(depth + 1);
      case 12:
        return this.struct(depth + 1);
      default:
        throw new ThriftError(`a field of the unknown type ${type}`);
    }
  }

  #list(depth: number): ThriftValue[] {
    if (depth > maxDepth) throw new ThriftError("lists are nested too deep");
    const head = this.#byte();
    const [type, size] = [head & 15, head >> 4 === 15 ? this.#varint() : head >> 4];
    // Each element takes at least one byte.
    if (size > this.#end - this.at) throw new ThriftError("a list is longer than the remaining bytes");
    const isBoolean = type === 1 || type === 2;
    return Array.from({ length: size }, () => (isBoolean ? this.#byte() === 1 : this.#value(type, depth)));
  }

  #byte(): number {
    if (this.at >= this.#end) throw new ThriftError("unexpected end in a struct");
    return this.#bytes[this.at++]!;
  }

  #take(length: number): Uint8Array {
    if (length > this.#end - this.at) throw new ThriftError("a value is longer than the remaining bytes");
    this.at += length;
    return this.#bytes.subarray(this.at - length, this.at);
  }

  #varint(): number {
    let [value, factor] = [0, 1];
    for (let count = 0; count < 10; count++) {
      const byte = this.#byte();
      value += (byte & 127) * factor;
      if (byte < 128) return value;
      factor *= 128;
    }
    throw new ThriftError("a varint is longer than 10 bytes");
  }

  /** A zigzag integer: 0, -1, 1, -2, … */
  #integer(): number {
    const value = this.#varint();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }
}

/** The integer in a field; undefined if there is none. */
export function integerIn(struct: ThriftStruct | undefined, field: number): number | undefined {
  const value = struct?.get(field);
  return typeof value === "number" ? value : undefined;
}

export function bytesIn(struct: ThriftStruct | undefined, field: number): Uint8Array | undefined {
  const value = struct?.get(field);
  return value instanceof Uint8Array ? value : undefined;
}

export function structIn(struct: ThriftStruct | undefined, field: number): ThriftStruct | undefined {
  return asStruct(struct?.get(field));
}

/** The structs of a list; other elements are skipped. */
export function structsIn(struct: ThriftStruct | undefined, field: number): ThriftStruct[] {
  const value = struct?.get(field);
  return Array.isArray(value) ? (value as ThriftValue[]).flatMap((each) => asStruct(each) ?? []) : [];
}

function asStruct(value: ThriftValue | undefined): ThriftStruct | undefined {
  return value instanceof Map ? (value as ThriftStruct) : undefined;
}

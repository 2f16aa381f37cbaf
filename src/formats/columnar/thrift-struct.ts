/** What a field of a struct holds; whole numbers of 64 bits are the nearest doubles. */
export type ThriftValue = boolean | number | Uint8Array | readonly ThriftValue[] | ThriftStruct;

/** Fields by their numbers. */
export type ThriftStruct = ReadonlyMap<number, ThriftValue>;

/** Structs within structs; those of Parquet have 6. */
const deepest = 16;

/** Bytes that are no struct of Thrift's compact protocol. */
export class ThriftDamage extends Error {}

/**
 * Reads structs of Thrift's compact protocol (its specification: thrift-compact-protocol.md), one after the other.
 * Fails with `ThriftDamage`.
 */
export class ThriftReader {
  readonly #bytes: Uint8Array;
  readonly #end: number;
  /** Where the next struct begins. */
  at: number;

  constructor(bytes: Uint8Array, at: number, end: number) {
    this.#bytes = bytes;
    this.at = at;
    this.#end = end;
  }

  struct(depth = 0): ThriftStruct {
    if (depth > deepest) throw new ThriftDamage("structs are nested too deep");
    const fields = new Map<number, ThriftValue>();
    for (let number = 0, head = this.#byte(); head !== 0; head = this.#byte()) {
      number = head >> 4 === 0 ? this.#whole() : number + (head >> 4);
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
        return this.#whole();
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
        throw new ThriftDamage(`a field of the unknown type ${type}`);
    }
  }

  #list(depth: number): ThriftValue[] {
    if (depth > deepest) throw new ThriftDamage("lists are nested too deep");
    const head = this.#byte();
    const [type, size] = [head & 15, head >> 4 === 15 ? this.#varint() : head >> 4];
    // Each element takes a byte at least.
    if (size > this.#end - this.at) throw new ThriftDamage("a list is longer than what is left");
    const isTruth = type === 1 || type === 2;
    return Array.from({ length: size }, () => (isTruth ? this.#byte() === 1 : this.#value(type, depth)));
  }

  #byte(): number {
    if (this.at >= this.#end) throw new ThriftDamage("it ends within a struct");
    return this.#bytes[this.at++]!;
  }

  #take(length: number): Uint8Array {
    if (length > this.#end - this.at) throw new ThriftDamage("a text is longer than what is left");
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
    throw new ThriftDamage("a number of more than 64 bits");
  }

  /** Zigzag: 0, -1, 1, -2, … */
  #whole(): number {
    const value = this.#varint();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }
}

/** The whole number in a field; undefined: there is none. */
export function wholeIn(struct: ThriftStruct | undefined, field: number): number | undefined {
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

/** The structs of a list; what is none is left out. */
export function structsIn(struct: ThriftStruct | undefined, field: number): ThriftStruct[] {
  const value = struct?.get(field);
  return Array.isArray(value) ? (value as ThriftValue[]).flatMap((each) => asStruct(each) ?? []) : [];
}

function asStruct(value: ThriftValue | undefined): ThriftStruct | undefined {
  return value instanceof Map ? (value as ThriftStruct) : undefined;
}

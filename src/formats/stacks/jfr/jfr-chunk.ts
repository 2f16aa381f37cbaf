import { Failure } from "../../../core/failures/index.ts";

/** A field of a type in the metadata of a chunk. */
interface JfrField {
  readonly name: string;
  readonly type: number;
  readonly isConstant: boolean;
  readonly isArray: boolean;
}

interface JfrType {
  readonly name: string;
  readonly fields: JfrField[];
}

/** A reference to a constant, resolved on first use. Constants beyond 2⁵³ have bigint keys. */
class JfrReference {
  readonly type: number;
  readonly key: number | bigint;

  constructor(type: number, key: number | bigint) {
    this.type = type;
    this.key = key;
  }
}

interface Element {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly Element[];
}

type Struct = ReadonlyMap<string, unknown>;

const headerSize = 68;
/** Deepest nesting of metadata and values. */
const deepest = 40;

/** Whether a file starts with a chunk of Java Flight Recorder. */
export function isJfr(head: Uint8Array): boolean {
  return head[0] === 0x46 && head[1] === 0x4c && head[2] === 0x52 && head[3] === 0;
}

/**
 * A chunk of a Java Flight Recording 1 or 2 (ChunkHeader, ChunkParser of jdk.jfr.internal.consumer): header,
 * events, constant pools and metadata that describes them. All methods fail with `bad-stack-profile`.
 */
export class JfrChunk {
  readonly end: number;
  /** Nanoseconds since 1970. */
  readonly started: bigint;
  /** Nanoseconds. */
  readonly duration: number;
  readonly #view: DataView;
  readonly #start: number;
  readonly #file: string;
  readonly #isCompressed: boolean;
  readonly #types = new Map<number, JfrType>();
  readonly #pools = new Map<number, Map<number | bigint, unknown>>();
  #at = 0;
  #limit: number;

  constructor(bytes: Uint8Array, start: number, file: string) {
    this.#file = file;
    this.#start = start;
    const view = (this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    this.#limit = bytes.length;
    if (bytes.length - start < headerSize || !isJfr(bytes.subarray(start, start + 4)))
      throw this.bad("a chunk has no header");
    const major = view.getUint16(start + 4);
    if (major !== 1 && major !== 2) throw this.bad(`version ${major} is not supported`);
    const word = (at: number): number => Number(view.getBigInt64(start + at));
    const size = word(8);
    if (size < headerSize || size > bytes.length - start) throw this.bad("a chunk is not complete");
    this.#limit = this.end = start + size;
    this.started = view.getBigInt64(start + 32);
    this.duration = word(40);
    this.#isCompressed = (view.getInt32(start + 64) & 1) !== 0;
    this.#readMetadata(word(24));
    this.#readConstants(word(16));
  }

  bad(reason: string): Failure {
    return new Failure("bad-stack-profile", { file: this.#file, format: "JFR", reason });
  }

  /** The fields of the events whose type `isWanted`. */
  *events(isWanted: (name: string) => boolean): Generator<readonly [name: string, event: Struct]> {
    for (let at = this.#start + headerSize; at < this.end;) {
      this.#at = at;
      const size = this.#count();
      const type = this.#types.get(this.#count());
      if (size < 2 || size > this.end - at) throw this.bad("an event has an impossible size");
      at += size;
      if (type !== undefined && isWanted(type.name)) yield [type.name, this.#struct(type, 0)];
    }
  }

  /** The value, or the constant it refers to; null if there is no such constant. */
  resolve(value: unknown): unknown {
    let found = value;
    for (let depth = 0; found instanceof JfrReference; depth++) {
      if (depth > deepest) throw this.bad("a constant refers to itself");
      found = this.#pools.get(found.type)?.get(found.key) ?? null;
    }
    return found;
  }

  /** The resolved field of a structure; null if it has none. */
  field(value: unknown, name: string): unknown {
    const struct = this.resolve(value);
    return struct instanceof Map ? this.resolve(struct.get(name) ?? null) : null;
  }

  #seek(offset: number): void {
    if (!(offset >= headerSize && offset < this.end - this.#start)) throw this.bad("an offset is outside of its chunk");
    this.#at = this.#start + offset;
  }

  #readMetadata(offset: number): void {
    this.#seek(offset);
    for (let skipped = 0; skipped < 5; skipped++) this.#long();
    const strings = this.#list(() => this.#text());
    const root = this.#element(strings, 0);
    for (const { children, name } of root.children) {
      if (name !== "metadata") continue;
      for (const each of children) if (each.name === "class") this.#addType(each);
    }
  }

  #addType({ attributes, children }: Element): void {
    const fields = children.flatMap(({ name, attributes: of }) => {
      if (name !== "field") return [];
      const isArray = of.has("dimension") && of.get("dimension") !== "0";
      const isConstant = of.get("constantPool") === "true";
      return [{ name: of.get("name") ?? "", type: Number(of.get("class")), isArray, isConstant }];
    });
    this.#types.set(Number(attributes.get("id")), { name: attributes.get("name") ?? "", fields });
  }

  #element(strings: readonly unknown[], depth: number): Element {
    if (depth > deepest) throw this.bad("its metadata is nested too deeply");
    const text = (): string => {
      const found = strings[this.#count()];
      return typeof found === "string" ? found : "";
    };
    const name = text();
    const attributes = new Map(this.#list(() => [text(), text()] as const));
    return { name, attributes, children: this.#list(() => this.#element(strings, depth + 1)) };
  }

  /** Checkpoints are chained from the last to the first; each has the distance to the next. */
  #readConstants(offset: number): void {
    const seen = new Set<number>();
    for (let at = offset, delta = offset; delta !== 0; at += delta) {
      if (seen.has(at)) throw this.bad("its checkpoints are a circle");
      seen.add(at);
      this.#seek(at);
      for (let skipped = 0; skipped < 4; skipped++) this.#long();
      delta = Number(this.#long());
      this.#byte();
      this.#list(() => this.#readPool());
    }
  }

  #readPool(): void {
    const id = this.#count();
    const type = this.#types.get(id);
    if (type === undefined) throw this.bad("a constant has an undefined type");
    const pool = this.#pools.get(id) ?? new Map<number | bigint, unknown>();
    this.#pools.set(id, pool);
    this.#list(() => pool.set(this.#long(), this.#value(type, id, 0)));
  }

  #struct(type: JfrType, depth: number): Struct {
    // A type without fields takes no bytes: nothing would bound the work.
    if (depth > deepest || type.fields.length === 0) throw this.bad(`type '${type.name}' cannot be read`);
    return new Map(type.fields.map((field) => [field.name, this.#field(field, depth)]));
  }

  #field({ type, isConstant, isArray }: JfrField, depth: number): unknown {
    const read = (): unknown => {
      if (isConstant) return new JfrReference(type, this.#long());
      const known = this.#types.get(type);
      if (known === undefined) throw this.bad("a field has an undefined type");
      return this.#value(known, type, depth + 1);
    };
    return isArray ? this.#list(read) : read();
  }

  #value(type: JfrType, id: number, depth: number): unknown {
    switch (type.name) {
      case "boolean":
      case "byte":
        return this.#byte();
      case "short":
      case "char":
        return this.#isCompressed ? this.#long() : this.#fixed(2);
      case "int":
        return this.#isCompressed ? Number(this.#long()) | 0 : this.#fixed(4);
      case "long":
        return this.#long();
      case "float":
        return this.#view.getFloat32(this.#advance(4));
      case "double":
        return this.#view.getFloat64(this.#advance(8));
      case "java.lang.String":
        return this.#text(id);
      default:
        return this.#struct(type, depth);
    }
  }

  /** A string; a constant if its type is given. */
  #text(type?: number): unknown {
    const encoding = this.#byte();
    if (encoding === 0) return null;
    if (encoding === 1) return "";
    if (encoding === 2 && type !== undefined) return new JfrReference(type, this.#long());
    if (encoding === 4) return String.fromCharCode(...this.#list(() => this.#count() & 0xffff));
    if (encoding !== 3 && encoding !== 5) throw this.bad("a string has an unknown encoding");
    const length = this.#count();
    const at = this.#advance(length);
    const bytes = new Uint8Array(this.#view.buffer, this.#view.byteOffset + at, length);
    return new TextDecoder(encoding === 3 ? "utf-8" : "latin1").decode(bytes);
  }

  #list<Item>(read: () => Item): Item[] {
    const count = this.#count();
    // Every item takes at least one byte.
    if (count > this.#limit - this.#at) throw this.bad("unexpected end in a list");
    return Array.from({ length: count }, read);
  }

  #count(): number {
    const count = this.#isCompressed ? this.#long() : this.#fixed(4);
    if (typeof count === "bigint" || count < 0) throw this.bad("a number is out of range");
    return count;
  }

  /** A 64-bit integer; bigint beyond 2⁵³. Seven bits per byte, low bits first; the ninth byte has eight. */
  #long(): number | bigint {
    if (!this.#isCompressed) return exact(this.#view.getBigInt64(this.#advance(8)));
    let sum = 0;
    for (let index = 0; index < 7; index++) {
      const byte = this.#byte();
      sum += (byte & 0x7f) * 2 ** (7 * index);
      if (byte < 0x80) return sum;
    }
    const eighth = this.#byte();
    const ninth = eighth < 0x80 ? 0 : this.#byte();
    const all = BigInt(sum) | (BigInt(eighth & 0x7f) << 49n) | (BigInt(ninth) << 56n);
    return exact(BigInt.asIntN(64, all));
  }

  #fixed(size: 2 | 4): number {
    const at = this.#advance(size);
    return size === 2 ? this.#view.getInt16(at) : this.#view.getInt32(at);
  }

  #byte(): number {
    return this.#view.getUint8(this.#advance(1));
  }

  /** Skips `count` bytes and returns where they start. */
  #advance(count: number): number {
    if (count > this.#limit - this.#at) throw this.bad("unexpected end in a value");
    this.#at += count;
    return this.#at - count;
  }
}

function exact(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

import { flatText } from "../../core/values/index.ts";
import { ByteWriter } from "../bytes/index.ts";
import { copyValue, type JsonScanner, quoted, readValue } from "../json/index.ts";
import { notAProfileAt } from "./profile-regions.ts";
import { ResourceCells } from "./resource-cells.ts";
import { ShapeReader, type RegionProperty, type Shape } from "./resource-shape.ts";

/**
 * Interns byte ranges: equal ranges share a number, from 0. Only positions are stored, so the caller must keep the
 * bytes unchanged, in a buffer that may be reallocated.
 */
class ByteTable {
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  readonly #hashes: number[] = [];
  /** Open addressing: number + 1, or 0. */
  #slots = new Int32Array(1024);

  get count(): number {
    return this.#starts.length;
  }

  start(index: number): number {
    return this.#starts[index]!;
  }

  /** The number of `bytes[start..end)`; a new range gets the previous `count`. */
  intern(bytes: Uint8Array, start: number, end: number): number {
    const hash = hashOf(bytes, start, end);
    const mask = this.#slots.length - 1;
    let slot = hash & mask;
    for (let entry = this.#slots[slot]!; entry > 0; entry = this.#slots[slot]!) {
      if (this.#hashes[entry - 1] === hash && this.#equal(bytes, entry - 1, start, end)) return entry - 1;
      slot = (slot + 1) & mask;
    }
    this.#starts.push(start);
    this.#ends.push(end);
    this.#hashes.push(hash);
    this.#slots[slot] = this.count;
    if (this.count * 2 > this.#slots.length) this.#grow();
    return this.count - 1;
  }

  #equal(bytes: Uint8Array, index: number, start: number, end: number): boolean {
    const known = this.#starts[index]!;
    if (this.#ends[index]! - known !== end - start) return false;
    for (let i = end - start - 1; i >= 0; i--) if (bytes[known + i] !== bytes[start + i]) return false;
    return true;
  }

  #grow(): void {
    this.#slots = new Int32Array(this.#slots.length * 4);
    const mask = this.#slots.length - 1;
    for (let index = 0; index < this.count; index++) {
      let slot = this.#hashes[index]! & mask;
      while (this.#slots[slot]! > 0) slot = (slot + 1) & mask;
      this.#slots[slot] = index + 1;
    }
  }
}

function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0;
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ bytes[i]!, 0x01000193);
  return (hash ^ (hash >>> 15)) & 0x7fffffff;
}

/** The printed start of ids (`"main:22`) and the number of ids with it. */
interface Stem {
  readonly text: string;
  count: number;
}

interface ResourceType {
  readonly stem: Stem;
  readonly number: number;
  /** End of the printed properties in the arena; the bytes after it distinguish types with equal properties. */
  readonly printed: number;
  readonly shape: Shape;
  /** Number of its first column in `cells`; the others follow in the order of the shape. */
  readonly firstColumn: number;
}

/**
 * Groups resources of an old layout (one object per resource) into resource types. Resources share a type if their
 * persistent properties and column names are equal. Properties are interned by their printed bytes.
 */
export class ResourceTypes {
  readonly #scanner: JsonScanner;
  readonly #arena: ByteWriter;
  readonly #types: ResourceType[] = [];
  readonly #typeTable = new ByteTable();
  readonly #uidTable = new ByteTable();
  /** By number of the uid. */
  readonly #stemOf: Stem[] = [];
  readonly #stems = new Map<string, Stem>();
  readonly #cells: ResourceCells;

  constructor(scanner: JsonScanner) {
    this.#scanner = scanner;
    this.#arena = new ByteWriter(scanner.bytes.length * 2);
    this.#cells = new ResourceCells(scanner);
  }

  get count(): number {
    return this.#types.length;
  }

  /** Adds the resources of the list at `position`. Fails with `not-a-profile` if one is not an object or has no uid. */
  addList(position: number, extra: readonly RegionProperty[]): void {
    const scanner = this.#scanner;
    const reader = new ShapeReader(scanner, extra);
    scanner.pos = position;
    if (scanner.blanks() !== 0x5b) throw notAProfileAt(scanner, "resources are not a list");
    scanner.elements(() => {
      const start = scanner.pos;
      if (scanner.bytes[start] !== 0x7b) throw notAProfileAt(scanner, "a resource is not an object");
      const shape = reader.read();
      const end = scanner.pos;
      if (shape.uid === undefined) throw notAProfileAt(scanner, "the resource has no uid", start);
      this.#addRow(shape, shape.uid, reader.positions);
      scanner.pos = end;
    });
  }

  #addRow(shape: Shape, uid: number, positions: Float64Array): void {
    const type = this.#typeFor(shape, uid, positions);
    let column = this.#types[type]!.firstColumn;
    for (const { keyIndex } of shape.columns) this.#cells.add(column++, positions[keyIndex]!);
  }

  #typeFor(shape: Shape, uid: number, positions: Float64Array): number {
    const arena = this.#arena;
    const start = arena.length;
    this.#printProperties(shape, positions);
    const printed = arena.length;
    for (const keyIndex of shape.overridden) this.#copyAt(positions[keyIndex]!);
    for (const { code } of shape.columns) arena.byte(code);
    const type = this.#typeTable.intern(arena.buffer, start, arena.length);
    if (type < this.count) arena.length = start;
    else {
      const stem = this.#stemAt(positions[uid]!);
      this.#types.push({
        stem,
        number: stem.count++,
        printed,
        shape,
        firstColumn: this.#cells.addColumns(shape.columns.length),
      });
    }
    return type;
  }

  #printProperties(shape: Shape, positions: Float64Array): void {
    const arena = this.#arena;
    arena.byte(0x7b);
    for (const { lead, value } of shape.properties) {
      arena.slice(lead, 0, lead.length);
      if (typeof value === "number") this.#copyAt(positions[value]!);
      else arena.bytes(value);
    }
    arena.byte(0x7d);
  }

  #copyAt(position: number): void {
    this.#scanner.pos = position;
    copyValue(this.#scanner, this.#arena);
  }

  #stemAt(uid: number): Stem {
    const scanner = this.#scanner;
    scanner.pos = uid;
    scanner.pass();
    const number = this.#uidTable.intern(scanner.bytes, uid, scanner.pos);
    const known = this.#stemOf[number];
    if (known) return known;
    scanner.pos = uid;
    const text = flatText(readValue(scanner));
    const stem = this.#stems.get(text) ?? { text: quoted(text).slice(0, -1), count: 0 };
    this.#stems.set(text, stem);
    this.#stemOf.push(stem);
    return stem;
  }

  /** The printed id of a type: its flattened uid, `#`, and its number among the types of that uid. */
  id(type: number): string {
    const { stem, number } = this.#types[type]!;
    return `${stem.text}#${number}"`;
  }

  writeProperties(type: number, writer: ByteWriter): void {
    writer.slice(this.#arena.buffer, this.#typeTable.start(type), this.#types[type]!.printed);
  }

  writeColumns(type: number, writer: ByteWriter): void {
    const { shape, firstColumn } = this.#types[type]!;
    let lead = "{";
    for (const index of shape.order) {
      writer.ascii(`${lead}${quoted(shape.columns[index]!.name)}: `);
      this.#cells.write(firstColumn + index, writer);
      lead = ", ";
    }
    writer.ascii(shape.order.length === 0 ? "{}" : "}");
  }
}

import { ByteTable } from "../bytes/byte-table.ts";
import { ByteWriter } from "../bytes/byte-writer.ts";
import { flatText } from "../../core/flatten.ts";
import { copyValue } from "../json/json-copy.ts";
import { readValue } from "../json/json.ts";
import type { JsonScanner } from "../json/json-scanner.ts";
import { quoted } from "../json/json-string.ts";
import { misplaced } from "./profile-regions.ts";
import { ResourceCells } from "./resource-cells.ts";
import { ShapeReader, type RegionProperty, type Shape } from "./resource-shape.ts";

/** The printed beginning of ids (`"main:22`), and how many there are. */
interface Stem {
  readonly text: string;
  count: number;
}

interface ResourceType {
  readonly stem: Stem;
  readonly number: number;
  /** Where the printed properties end in the arena; what follows tells types apart that print alike. */
  readonly printed: number;
  readonly shape: Shape;
  /** Its columns in `cells` follow each other in the order of the shape's columns. */
  readonly firstColumn: number;
}

/**
 * Sorts resources of an old layout (one object per resource) into resource types: two resources share one when all their persistent
 * properties and the names of their columns are equal. Nothing is built: properties are interned by their printed bytes.
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

  /** Adds the resources of the list at `place`. Fails with `not-a-profile` when one is no object or has no uid. */
  addList(place: number, extra: readonly RegionProperty[]): void {
    const scanner = this.#scanner;
    const reader = new ShapeReader(scanner, extra);
    scanner.pos = place;
    if (scanner.blanks() !== 0x5b) throw misplaced(scanner, "resources are not a list");
    scanner.elements(() => {
      const start = scanner.pos;
      if (scanner.bytes[start] !== 0x7b) throw misplaced(scanner, "a resource is not an object");
      const shape = reader.read();
      const end = scanner.pos;
      if (shape.uid === undefined) throw misplaced(scanner, "the resource has no uid", start);
      this.#addRow(shape, shape.uid, reader.places);
      scanner.pos = end;
    });
  }

  #addRow(shape: Shape, uid: number, places: Float64Array): void {
    const type = this.#typeFor(shape, uid, places);
    let column = this.#types[type]!.firstColumn;
    for (const { place } of shape.columns) this.#cells.add(column++, places[place]!);
  }

  #typeFor(shape: Shape, uid: number, places: Float64Array): number {
    const arena = this.#arena;
    const start = arena.length;
    this.#printProperties(shape, places);
    const printed = arena.length;
    for (const place of shape.overruled) this.#copyAt(places[place]!);
    for (const { code } of shape.columns) arena.byte(code);
    const type = this.#typeTable.intern(arena.buffer, start, arena.length);
    if (type < this.count) arena.length = start;
    else {
      const stem = this.#stemAt(places[uid]!);
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

  #printProperties(shape: Shape, places: Float64Array): void {
    const arena = this.#arena;
    arena.byte(0x7b);
    for (const { lead, value } of shape.properties) {
      arena.slice(lead, 0, lead.length);
      if (typeof value === "number") this.#copyAt(places[value]!);
      else arena.bytes(value);
    }
    arena.byte(0x7d);
  }

  #copyAt(place: number): void {
    this.#scanner.pos = place;
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

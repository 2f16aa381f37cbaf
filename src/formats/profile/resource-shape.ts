import { compareByCodePoint } from "../text/code-points.ts";
import type { JsonScanner } from "../json/json-scanner.ts";
import { quoted } from "../json/json-string.ts";

/**
 * The keys of a resource that are columns of its type; every other key is a persistent property of the type. Sorted.
 */
const columnNames = [
  "address",
  "amount",
  "call-order",
  "exclusive",
  "order",
  "structure-unit-size",
  "timestamp",
] as const;

const encoder = new TextEncoder();

/** A persistent property that a region gives to all its resources, its value printed. */
export interface RegionProperty {
  readonly key: string;
  readonly value: Uint8Array;
}

/** How a resource with certain keys in a certain order is read. `place` counts the keys of the resource from 0. */
export interface Shape {
  readonly uid: number | undefined;
  /** The columns by name, each with its place. */
  readonly columns: readonly { readonly name: string; readonly code: number; readonly place: number }[];
  /** Indexes into `columns` in the order of the resource. */
  readonly order: readonly number[];
  /** Sorted by key: printed lead, and where the value comes from. */
  readonly properties: readonly { readonly lead: Uint8Array; readonly value: number | Uint8Array }[];
  /** Places of properties that the region overrules: not printed, yet they tell types apart. */
  readonly overruled: readonly number[];
}

class Node {
  readonly key: string;
  readonly raw: Uint8Array;
  readonly parent: Node | null;
  readonly depth: number;
  readonly children = new Map<string, Node>();
  /** The child that was taken last: resources of one file mostly look alike. */
  likely: Node | null = null;
  shape: Shape | null = null;

  constructor(key: string, raw: Uint8Array, parent: Node | null) {
    this.key = key;
    this.raw = raw;
    this.parent = parent;
    this.depth = parent === null ? 0 : parent.depth + 1;
  }
}

/** Recognises the shapes of the resources of one region, which all get `extra`. */
export class ShapeReader {
  readonly #scanner: JsonScanner;
  readonly #extra: readonly RegionProperty[];
  readonly #root = new Node("", new Uint8Array(), null);
  /** Where the values of the resource read last begin, by place. */
  places = new Float64Array(64);

  constructor(scanner: JsonScanner, extra: readonly RegionProperty[]) {
    this.#scanner = scanner;
    this.#extra = extra;
  }

  /** Reads over the object at the cursor. */
  read(): Shape {
    const scanner = this.#scanner;
    let node = this.#root;
    scanner.pos++;
    if (scanner.blanks() !== 0x7d) {
      do {
        scanner.blanks();
        node = this.#step(node);
        scanner.colon();
        scanner.blanks();
        if (node.depth > this.places.length) this.#grow();
        this.places[node.depth - 1] = scanner.pos;
        scanner.pass();
      } while (scanner.comma(0x7d));
    }
    scanner.pos++;
    return (node.shape ??= shapeOf(keysTo(node), this.#extra));
  }

  #step(node: Node): Node {
    const scanner = this.#scanner;
    if (node.likely && startsWith(scanner, node.likely.raw)) return node.likely;
    const start = scanner.pos;
    const key = scanner.text();
    let child = node.children.get(key);
    if (!child) {
      child = new Node(key, scanner.bytes.slice(start, scanner.pos), node);
      node.children.set(key, child);
    }
    node.likely = child;
    return child;
  }

  #grow(): void {
    const grown = new Float64Array(this.places.length * 2);
    grown.set(this.places);
    this.places = grown;
  }
}

/** Reads over `raw` when it is what follows. */
function startsWith(scanner: JsonScanner, raw: Uint8Array): boolean {
  const { bytes, pos } = scanner;
  for (let i = 0; i < raw.length; i++) if (bytes[pos + i] !== raw[i]) return false;
  scanner.pos = pos + raw.length;
  return true;
}

function keysTo(node: Node): string[] {
  const keys: string[] = [];
  for (let at = node; at.parent; at = at.parent) keys.push(at.key);
  return keys.reverse();
}

function shapeOf(keys: readonly string[], extra: readonly RegionProperty[]): Shape {
  const place = new Map(keys.map((key, index) => [key, index]));
  const columns = columnNames.flatMap((name, code) =>
    place.has(name) ? [{ name, code, place: place.get(name)! }] : [],
  );
  const inOrder = columns.toSorted((a, b) => a.place - b.place);
  const values = new Map<string, number | Uint8Array>(place);
  for (const name of columnNames) values.delete(name);
  for (const { key, value } of extra) values.set(key, value);
  const sorted = [...values].sort(([a], [b]) => compareByCodePoint(a, b));
  return {
    uid: place.get("uid"),
    columns,
    order: inOrder.map((column) => columns.indexOf(column)),
    properties: sorted.map(([key, value], index) => ({
      lead: encoder.encode(`${index === 0 ? "" : ", "}${quoted(key)}: `),
      value,
    })),
    overruled: extra.flatMap(({ key }) => place.get(key) ?? []),
  };
}

import { compareByCodePoint } from "../text/index.ts";
import { type JsonScanner, quoted } from "../json/index.ts";

/**
 * The keys of a resource that are columns of its type, sorted; every other key is a persistent property of the type.
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

/** A persistent property that a region adds to all its resources, with its printed value. */
export interface RegionProperty {
  readonly key: string;
  readonly value: Uint8Array;
}

/** The layout of resources with the same keys in the same order. Numbers are indices of these keys. */
export interface Shape {
  readonly uid: number | undefined;
  /** Sorted by name. */
  readonly columns: readonly { readonly name: string; readonly code: number; readonly keyIndex: number }[];
  /** Indices into `columns` in the order of the resource. */
  readonly order: readonly number[];
  /** Sorted by key: the printed key, and the index of the value or the printed value. */
  readonly properties: readonly { readonly lead: Uint8Array; readonly value: number | Uint8Array }[];
  /** Properties that the region overrides. They are not printed but distinguish types. */
  readonly overridden: readonly number[];
}

class ShapeNode {
  readonly key: string;
  readonly raw: Uint8Array;
  readonly parent: ShapeNode | null;
  readonly depth: number;
  readonly children = new Map<string, ShapeNode>();
  /** The last visited child: resources of one file usually have equal keys. */
  likely: ShapeNode | null = null;
  shape: Shape | null = null;

  constructor(key: string, raw: Uint8Array, parent: ShapeNode | null) {
    this.key = key;
    this.raw = raw;
    this.parent = parent;
    this.depth = parent === null ? 0 : parent.depth + 1;
  }
}

/** Detects the shapes of the resources of one region; all get the properties `extra`. */
export class ShapeReader {
  readonly #scanner: JsonScanner;
  readonly #extra: readonly RegionProperty[];
  readonly #root = new ShapeNode("", new Uint8Array(), null);
  /** Positions of the values of the last resource, by key index. */
  positions = new Float64Array(64);

  constructor(scanner: JsonScanner, extra: readonly RegionProperty[]) {
    this.#scanner = scanner;
    this.#extra = extra;
  }

  /** Reads past the object at the cursor. */
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
        if (node.depth > this.positions.length) this.#grow();
        this.positions[node.depth - 1] = scanner.pos;
        scanner.pass();
      } while (scanner.comma(0x7d));
    }
    scanner.pos++;
    return (node.shape ??= shapeOf(keysTo(node), this.#extra));
  }

  #step(node: ShapeNode): ShapeNode {
    const scanner = this.#scanner;
    if (node.likely && startsWith(scanner, node.likely.raw)) return node.likely;
    const start = scanner.pos;
    const key = scanner.text();
    let child = node.children.get(key);
    if (!child) {
      child = new ShapeNode(key, scanner.bytes.slice(start, scanner.pos), node);
      node.children.set(key, child);
    }
    node.likely = child;
    return child;
  }

  #grow(): void {
    const grown = new Float64Array(this.positions.length * 2);
    grown.set(this.positions);
    this.positions = grown;
  }
}

/** Reads past `raw` if the cursor is at it. */
function startsWith(scanner: JsonScanner, raw: Uint8Array): boolean {
  const { bytes, pos } = scanner;
  for (let i = 0; i < raw.length; i++) if (bytes[pos + i] !== raw[i]) return false;
  scanner.pos = pos + raw.length;
  return true;
}

function keysTo(node: ShapeNode): string[] {
  const keys: string[] = [];
  for (let at = node; at.parent; at = at.parent) keys.push(at.key);
  return keys.reverse();
}

function shapeOf(keys: readonly string[], extra: readonly RegionProperty[]): Shape {
  const indices = new Map(keys.map((key, index) => [key, index]));
  const columns = columnNames.flatMap((name, code) =>
    indices.has(name) ? [{ name, code, keyIndex: indices.get(name)! }] : [],
  );
  const inOrder = columns.toSorted((a, b) => a.keyIndex - b.keyIndex);
  const values = new Map<string, number | Uint8Array>(indices);
  for (const name of columnNames) values.delete(name);
  for (const { key, value } of extra) values.set(key, value);
  const sorted = [...values].sort(([a], [b]) => compareByCodePoint(a, b));
  return {
    uid: indices.get("uid"),
    columns,
    order: inOrder.map((column) => columns.indexOf(column)),
    properties: sorted.map(([key, value], index) => ({
      lead: encoder.encode(`${index === 0 ? "" : ", "}${quoted(key)}: `),
      value,
    })),
    overridden: extra.flatMap(({ key }) => indices.get(key) ?? []),
  };
}

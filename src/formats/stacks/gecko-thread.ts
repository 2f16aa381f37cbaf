import type { StackFrame } from "../../core/stack-profile.ts";
import type { StackTable } from "../../core/stack-table.ts";
import { isObject, positive, type DocumentObject, type ProfileDocument } from "../profile/profile-document.ts";

/** Tables that all threads of a profile have in common, in newer versions. */
export type GeckoShared = DocumentObject;

export interface GeckoSample {
  readonly stack: number;
  readonly weight: number;
}

/** Answers the content of a column in a row; undefined: there is no such column. */
type Cells = (row: number, column: string) => unknown;

interface Table {
  readonly length: number;
  readonly at: Cells;
}

/** The samples of one thread of a Firefox profile. */
export class GeckoThread {
  readonly #document: ProfileDocument;
  readonly #thread: DocumentObject;
  readonly #shared: GeckoShared;
  readonly #stacks: StackTable<StackFrame>;
  readonly #strings: readonly unknown[];
  /** By row of the stack table; 0: not met yet. */
  #nodes = new Int32Array(0);

  constructor(document: ProfileDocument, thread: DocumentObject, shared: GeckoShared, stacks: StackTable<StackFrame>) {
    this.#document = document;
    this.#thread = thread;
    this.#shared = shared;
    this.#stacks = stacks;
    const strings = thread["stringTable"] ?? thread["stringArray"] ?? shared["stringArray"] ?? [];
    this.#strings = document.list(strings, "a table of strings");
  }

  /** Samples without a stack are those of no stack, 0. */
  *samples(): Generator<GeckoSample> {
    const samples = this.#thread["samples"];
    if (Array.isArray(samples)) return yield* this.#oldSamples(samples);
    const table = this.#table("samples");
    const stackTable = this.#table("stackTable");
    const frames = this.#framesOf();
    this.#nodes = new Int32Array(stackTable.length);
    for (let row = 0; row < table.length; row++) {
      const weight = table.at(row, "weight");
      yield {
        stack: this.#nodeOf(table.at(row, "stack"), stackTable, frames),
        weight: typeof weight === "number" && Number.isFinite(weight) ? weight : 1,
      };
    }
  }

  /** Before 2015 each sample listed its frames. */
  *#oldSamples(samples: readonly unknown[]): Generator<GeckoSample> {
    for (const sample of samples) {
      const frames = this.#document.list(this.#document.object(sample, "a sample")["frames"], "the frames of a sample");
      const names = frames.map((frame) => this.#document.text(isObject(frame) ? frame["location"] : frame, "the location of a frame"));
      yield { stack: names.reduce((caller, name) => this.#stacks.called(caller, this.#located(name)), 0), weight: 1 };
    }
  }

  /** Walks up to a stack that is known, and down again: prefixes need not stand before what they are prefixes of. */
  #nodeOf(value: unknown, table: Table, frames: (row: unknown) => number): number {
    const path: number[] = [];
    let node = 0;
    for (let at = value; at !== null && at !== undefined; at = table.at(path.at(-1)!, "prefix")) {
      const row = this.#document.place(at, table.length, "a stack");
      node = this.#nodes[row]!;
      if (node > 0) break;
      path.push(row);
      if (path.length > table.length) throw this.#document.bad("a stack is in a circle");
    }
    for (const row of path.toReversed()) {
      node = this.#stacks.called(node, frames(table.at(row, "frame")));
      this.#nodes[row] = node;
    }
    return node;
  }

  /** A reader of the frame of a row of the frame table. */
  #framesOf(): (row: unknown) => number {
    const table = this.#table("frameTable");
    const functions = this.#hasTable("funcTable") ? this.#table("funcTable") : null;
    const known = new Map<number, number>();
    return (value) => {
      const row = this.#document.place(value, table.length, "a frame");
      const number =
        known.get(row) ??
        (functions === null ? this.#located(this.#string(table.at(row, "location"))) : this.#called(row, table, functions));
      known.set(row, number);
      return number;
    };
  }

  /** A frame whose function stands in a table of its own. */
  #called(row: number, table: Table, functions: Table): number {
    const func = this.#document.place(table.at(row, "func"), functions.length, "a function");
    const name = this.#string(functions.at(func, "name"));
    const source = this.#sourceOf(func, functions);
    const line = positive(table.at(row, "line")) ?? positive(functions.at(func, "lineNumber"));
    const depth = table.at(row, "inlineDepth");
    const inlined = typeof depth === "number" && depth > 0;
    return this.#stacks.frame(JSON.stringify([name, source, line, inlined]), () => ({
      function: name,
      ...(source === undefined ? {} : { source }),
      ...(line === undefined ? {} : { line }),
      ...(inlined ? { inlined } : {}),
    }));
  }

  /** Files are strings, or places in a table of sources since 2025. */
  #sourceOf(func: number, functions: Table): string | undefined {
    const place = functions.at(func, "fileName");
    if (typeof place === "number") return this.#string(place);
    const source = functions.at(func, "source");
    if (typeof source !== "number" || !this.#hasTable("sources")) return undefined;
    const sources = this.#table("sources");
    const name = sources.at(this.#document.place(source, sources.length, "a source"), "filename");
    return typeof name === "number" ? this.#string(name) : undefined;
  }

  /** `function (file:line:column)`, a function alone, or an address. */
  #located(location: string): number {
    return this.#stacks.frame(`\n${location}`, () => {
      const opening = location.endsWith(")") ? location.lastIndexOf(" (") : -1;
      const place = opening > 0 ? /^(.*?)(?::(\d{1,9}))?(?::(\d{1,9}))?$/s.exec(location.slice(opening + 2, -1)) : null;
      if (place === null) return { function: location };
      const [source = "", line, column] = [place[1], positive(Number(place[2])), positive(Number(place[3]))];
      return {
        function: location.slice(0, opening),
        source,
        ...(line === undefined ? {} : { line }),
        ...(column === undefined ? {} : { column }),
      };
    });
  }

  #string(value: unknown): string {
    return this.#document.text(this.#strings[this.#document.place(value, this.#strings.length, "a string")], "a string");
  }

  #hasTable(name: string): boolean {
    return this.#thread[name] !== undefined || this.#shared[name] !== undefined;
  }

  /** A table of rows, whose `schema` tells the places of columns, or one of columns. */
  #table(name: string): Table {
    const document = this.#document;
    const table = document.object(this.#thread[name] ?? this.#shared[name], `'${name}'`);
    if (table["schema"] !== undefined) {
      const schema = document.object(table["schema"], "a schema");
      const rows = document.list(table["data"], "the rows of a table");
      return { length: rows.length, at: (row, column) => cellOf(rows[row], schema[column]) };
    }
    const length = table["length"] ?? lengthOf(table);
    return {
      length: document.place(length, 2 ** 31, "the length of a table"),
      at: (row, column) => {
        const cells = table[column];
        return Array.isArray(cells) ? (cells[row] as unknown) : undefined;
      },
    };
  }
}

function cellOf(row: unknown, place: unknown): unknown {
  return Array.isArray(row) && typeof place === "number" ? (row[place] as unknown) : undefined;
}

function lengthOf(table: DocumentObject): number {
  return Math.max(0, ...Object.values(table).map((cells) => (Array.isArray(cells) ? cells.length : 0)));
}

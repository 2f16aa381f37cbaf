import type { StackFrame, StackTable } from "../../../core/profiles/index.ts";
import type { JsonStream } from "../../json/index.ts";
import { positive, type ProfileDocument } from "../profiler-document.ts";
import { GeckoTable } from "./gecko-table.ts";

/** The columns that define stacks, by table. */
const columns = {
  stackTable: ["prefix", "frame"],
  frameTable: ["location", "func", "line", "inlineDepth"],
  funcTable: ["name", "fileName", "source", "lineNumber"],
  sources: ["filename"],
} as const;

type GeckoTableName = keyof typeof columns;

/**
 * The tables of a thread, or those shared by all threads of a profile. Holds only strings and the columns that define
 * stacks.
 */
export class GeckoTables {
  readonly #document: ProfileDocument;
  readonly #tables = new Map<string, GeckoTable>();
  #strings: readonly unknown[] | null = null;

  constructor(document: ProfileDocument) {
    this.#document = document;
  }

  /** Reads the next member if it is a table; otherwise returns false without reading it. */
  async take(key: string, json: JsonStream): Promise<boolean> {
    if (key === "stringTable" || key === "stringArray") this.#strings = (await this.#texts(json)) ?? this.#strings;
    else if (!Object.hasOwn(columns, key)) return false;
    else if (await json.isObject())
      this.#tables.set(key, await GeckoTable.read(json, this.#document, columns[key as GeckoTableName]));
    else if (!(await json.isNull())) throw this.#document.bad(`'${key}' is not an object`);
    else await json.skip();
    return true;
  }

  /** Strings, if the document is valid. */
  get strings(): readonly unknown[] | null {
    return this.#strings;
  }

  get(name: GeckoTableName): GeckoTable | undefined {
    return this.#tables.get(name);
  }

  /** Whether stacks can be resolved without shared tables. */
  get isSelfContained(): boolean {
    const functions = this.get("funcTable");
    const isNamed =
      functions === undefined ? this.get("frameTable")?.has("location") === true : !functions.has("source");
    return (
      isNamed && this.#strings !== null && this.get("stackTable") !== undefined && this.get("frameTable") !== undefined
    );
  }

  async #texts(json: JsonStream): Promise<unknown[] | null> {
    const texts: unknown[] = [];
    const isNull = await json.isNull();
    if (isNull) await json.skip();
    else await json.elements("a table of strings", (values) => values.forEach((value) => texts.push(value)));
    return isNull ? null : texts;
  }
}

/** Resolves rows of a thread's stack table. */
export class GeckoStacks {
  readonly #document: ProfileDocument;
  readonly #stacks: StackTable<StackFrame>;
  readonly #strings: readonly unknown[];
  readonly #stackTable: GeckoTable;
  readonly #frameTable: GeckoTable;
  readonly #functions: GeckoTable | undefined;
  readonly #sources: GeckoTable | undefined;
  /** By row of the stack table; 0 if not resolved yet. */
  readonly #nodes: Int32Array;
  /** By row of the frame table. */
  readonly #frames = new Map<number, number>();

  /** Tables of the thread take precedence over shared ones. */
  constructor(document: ProfileDocument, own: GeckoTables, shared: GeckoTables, stacks: StackTable<StackFrame>) {
    const tableOf = (name: GeckoTableName): GeckoTable | undefined => own.get(name) ?? shared.get(name);
    const needed = (name: GeckoTableName): GeckoTable => {
      const table = tableOf(name);
      if (table === undefined) throw document.bad(`'${name}' is not an object`);
      return table;
    };
    this.#document = document;
    this.#stacks = stacks;
    this.#strings = own.strings ?? shared.strings ?? [];
    [this.#stackTable, this.#frameTable] = [needed("stackTable"), needed("frameTable")];
    [this.#functions, this.#sources] = [tableOf("funcTable"), tableOf("sources")];
    this.#nodes = new Int32Array(this.#stackTable.length);
  }

  /** Walks up to a resolved stack and down again, because prefixes may follow in the table. */
  nodeOf(stack: number): number {
    const [document, table] = [this.#document, this.#stackTable];
    const path: number[] = [];
    let node = 0;
    for (let at = stack; !Number.isNaN(at); at = table.at(path.at(-1)!, "prefix")) {
      const row = document.index(at, table.length, "a stack");
      node = this.#nodes[row]!;
      if (node > 0) break;
      path.push(row);
      if (path.length > table.length) throw document.bad("a stack contains itself");
    }
    for (const row of path.toReversed()) {
      node = this.#stacks.called(node, this.#frameOf(table.at(row, "frame")));
      this.#nodes[row] = node;
    }
    return node;
  }

  #frameOf(index: number): number {
    const row = this.#document.index(index, this.#frameTable.length, "a frame");
    const number = this.#frames.get(row) ?? this.#frameNumber(row);
    this.#frames.set(row, number);
    return number;
  }

  #frameNumber(row: number): number {
    const table = this.#frameTable;
    if (this.#functions === undefined) return locatedFrame(this.#stacks, this.#string(table.at(row, "location")));
    return this.#called(row, this.#functions);
  }

  /** A frame that refers to the function table. */
  #called(row: number, functions: GeckoTable): number {
    const table = this.#frameTable;
    const func = this.#document.index(table.at(row, "func"), functions.length, "a function");
    const name = this.#string(functions.at(func, "name"));
    const source = this.#sourceOf(func, functions);
    const line = positive(table.at(row, "line")) ?? positive(functions.at(func, "lineNumber"));
    const inlined = table.at(row, "inlineDepth") > 0;
    return this.#stacks.frame(JSON.stringify([name, source, line, inlined]), () => ({
      function: name,
      ...(source === undefined ? {} : { source }),
      ...(line === undefined ? {} : { line }),
      ...(inlined ? { inlined } : {}),
    }));
  }

  /** Files are strings, or since 2025 indices into a table of sources. */
  #sourceOf(func: number, functions: GeckoTable): string | undefined {
    const fileName = functions.at(func, "fileName");
    if (Number.isFinite(fileName)) return this.#string(fileName);
    const [source, sources] = [functions.at(func, "source"), this.#sources];
    if (!Number.isFinite(source) || sources === undefined) return undefined;
    const name = sources.at(this.#document.index(source, sources.length, "a source"), "filename");
    return Number.isFinite(name) ? this.#string(name) : undefined;
  }

  #string(index: number): string {
    return this.#document.text(
      this.#strings[this.#document.index(index, this.#strings.length, "a string")],
      "a string",
    );
  }
}

/** The number of the frame `function (file:line:column)`, a function alone, or an address. */
export function locatedFrame(stacks: StackTable<StackFrame>, location: string): number {
  return stacks.frame(`\n${location}`, () => {
    const opening = location.endsWith(")") ? location.lastIndexOf(" (") : -1;
    const position =
      opening > 0 ? /^(.*?)(?::(\d{1,9}))?(?::(\d{1,9}))?$/s.exec(location.slice(opening + 2, -1)) : null;
    if (position === null) return { function: location };
    const [source = "", line, column] = [position[1], positive(Number(position[2])), positive(Number(position[3]))];
    return {
      function: location.slice(0, opening),
      source,
      ...(line === undefined ? {} : { line }),
      ...(column === undefined ? {} : { column }),
    };
  });
}

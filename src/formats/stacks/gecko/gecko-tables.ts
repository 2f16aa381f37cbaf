import type { ProfileDocument } from "../profiler-document.ts";
import type { JsonStream } from "../../json/json-stream.ts";
import { GeckoTable } from "./gecko-table.ts";

/** Which columns of which tables say what a stack is. */
const columns = {
  stackTable: ["prefix", "frame"],
  frameTable: ["location", "func", "line", "inlineDepth"],
  funcTable: ["name", "fileName", "source", "lineNumber"],
  sources: ["filename"],
} as const;

export type GeckoTableName = keyof typeof columns;

/**
 * The tables of a thread, or those that all threads of a profile have in common. Texts and numbers of what stacks
 * consist of are kept.
 */
export class GeckoTables {
  readonly #document: ProfileDocument;
  readonly #tables = new Map<string, GeckoTable>();
  #strings: readonly unknown[] | null = null;

  constructor(document: ProfileDocument) {
    this.#document = document;
  }

  /** Reads the member that comes next; false: it is none of theirs, and is still to be read. */
  async take(key: string, json: JsonStream): Promise<boolean> {
    if (key === "stringTable" || key === "stringArray") this.#strings = (await this.#texts(json)) ?? this.#strings;
    else if (!Object.hasOwn(columns, key)) return false;
    else if (await json.isObject())
      this.#tables.set(key, await GeckoTable.read(json, this.#document, columns[key as GeckoTableName]));
    else if (!(await json.isNull())) throw this.#document.bad(`'${key}' is no object`);
    else await json.skip();
    return true;
  }

  /** Texts, as far as the document is sound. */
  get strings(): readonly unknown[] | null {
    return this.#strings;
  }

  get(name: GeckoTableName): GeckoTable | undefined {
    return this.#tables.get(name);
  }

  /** Whether stacks can be told without what threads have in common. */
  get isWhole(): boolean {
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

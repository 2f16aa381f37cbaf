import type { Failure } from "../../../core/failures/index.ts";
import type { SampleLabel, StackProfile } from "../../../core/profiles/index.ts";
import { ProfileDocument } from "../profiler-document.ts";
import { addCell, treeProfile, type TreeRow, unitWords } from "./caliper.ts";

/** Ids of the nodes that every file has: 0 to 7 are types, 8 to 10 attributes of attributes. */
const [nameId, propertiesId] = [8, 10];
const metadata = ["cali.attribute.name", "cali.attribute.type", "cali.attribute.prop"];
const [integer, unsigned, double] = [1, 2, 5];
/** Properties of attributes. */
const [hidden, nested] = [128, 256];

/** Deeper trees would take quadratic time; all paths together have to fit into memory. */
const [deepest, mostOnPaths] = [10_000, 1 << 24];

/** Numbers of traces that say when something was measured, and the events that triggered a record. */
const traceName = /^(?:cali\.)?event\.|^(?:time\.(?:offset|timestamp)|timestamp)(?:\.ns)?$/;

/** A node of the tree of attributes and values; a record names the innermost ones. */
interface CaliNode {
  readonly id: number;
  /** The node of the attribute; undefined: one of the nodes that every file has. */
  readonly attribute: Attribute | undefined;
  readonly data: string;
  readonly parent: CaliNode | undefined;
  readonly depth: number;
}

interface Attribute {
  readonly name: string;
  readonly type: number;
  readonly unit: string | undefined;
  readonly properties: number;
}

type Fields = ReadonlyMap<string, readonly string[]>;

/** What a node and its parents say: regions from the outermost, and labels. */
interface Expansion {
  readonly path: readonly string[];
  readonly labels: ReadonlyMap<string, string>;
}

/** True for the first record of a file. */
export function isCali(text: string): boolean {
  return /^__rec=(?:node|ctx|globals),\w+=/.test(text);
}

/**
 * Reads Caliper's native text (https://software.llnl.gov/Caliper/, CaliWriter of Caliper 2): nodes of a tree of
 * attributes and values, and records of the innermost nodes with numbers. Attributes with the property `nested` are the
 * call path. Fails with `bad-stack-profile`, `no-stacks`.
 */
export function readCali(bytes: Uint8Array, file: string): StackProfile {
  const document = new ProfileDocument(file, "caliper");
  const reader = new CaliReader(document);
  for (const line of new TextDecoder().decode(bytes).split(/\r?\n/)) reader.take(line);
  const { rows, units, command } = reader;
  return treeProfile(document, file, rows, units, command === undefined ? {} : { command });
}

class CaliReader {
  readonly rows: TreeRow[] = [];
  readonly units = new Map<string, string>();
  command: string | undefined;
  readonly #document: ProfileDocument;
  readonly #nodes = new Map<number, CaliNode>();
  readonly #attributes = new Map<number, Attribute>();
  readonly #expansions = new Map<CaliNode, Expansion>();
  #onPaths = 0;
  #line = 0;

  constructor(document: ProfileDocument) {
    this.#document = document;
    for (let id = 0; id <= propertiesId; id++)
      this.#nodes.set(id, { id, attribute: undefined, data: "", parent: undefined, depth: 0 });
    for (let id = nameId; id <= propertiesId; id++)
      this.#attributes.set(id, { name: metadata[id - nameId]!, type: -1, unit: undefined, properties: hidden });
  }

  take(line: string): void {
    this.#line++;
    if (line === "") return;
    const fields = fieldsOf(line);
    const [kind] = fields.get("__rec") ?? [];
    if (kind === "node") this.#takeNode(fields);
    else if (kind === "ctx") this.#takeRecord(fields);
    else if (kind === "globals") this.#takeGlobals(fields);
    else throw this.#bad("is no record of nodes, of a context or of globals");
  }

  #takeNode(fields: Fields): void {
    const [id, attribute] = [this.#number(fields, "id"), this.#number(fields, "attr")];
    const data = fields.get("data")?.join("=") ?? "";
    const parent = fields.has("parent") ? this.#node(fields.get("parent")![0]) : undefined;
    const depth = (parent?.depth ?? 0) + 1;
    if (depth > deepest) throw this.#bad(`has more than ${deepest} parents`);
    const node: CaliNode = { id, attribute: this.#attributes.get(attribute), data, parent, depth };
    if (node.attribute === undefined) throw this.#bad("names an unknown attribute");
    this.#nodes.set(id, node);
    if (attribute === nameId) this.#attributes.set(id, attributeOf(data, parent));
  }

  #takeRecord(fields: Fields): void {
    const path: string[] = [];
    const numbers = new Map<string, number>();
    const labels = new Map<string, SampleLabel>();
    for (const each of fields.get("ref") ?? []) {
      const expansion = this.#expansion(this.#node(each));
      path.push(...expansion.path);
      for (const [name, text] of expansion.labels)
        labels.set(name, /^-?\d{1,15}$/.test(text) ? { value: Number(text), unit: "" } : text);
    }
    const [ids, values] = [fields.get("attr") ?? [], fields.get("data") ?? []];
    if (ids.length !== values.length) throw this.#bad("has not a value for each attribute");
    for (const [at, id] of ids.entries()) {
      const attribute = this.#attributes.get(Number(id));
      if (attribute === undefined) throw this.#bad("names an unknown attribute");
      this.#addValue(attribute, values[at]!, numbers, labels);
    }
    this.rows.push({ path, numbers, labels });
  }

  #addValue(
    { name, type, unit, properties }: Attribute,
    text: string,
    numbers: Map<string, number>,
    labels: Map<string, SampleLabel>,
  ): void {
    if ((properties & hidden) !== 0 || traceName.test(name)) return;
    if (type !== integer && type !== unsigned && type !== double) labels.set(name, text);
    else if (!/^-?(?:\d+(?:\.\d*)?(?:e[-+]?\d+)?|inf|nan)$/i.test(text))
      throw this.#bad(`has '${text.slice(0, 40)}' as a number`);
    // Undefined averages are missing.
    else if (/\d/.test(text)) addCell(name, Number(text), numbers, labels);
    const word = unitWords.get(unit);
    if (word !== undefined) this.units.set(name, word);
  }

  #takeGlobals(fields: Fields): void {
    for (const each of fields.get("ref") ?? []) {
      const text = this.#expansion(this.#node(each)).labels.get("cmdline");
      if (text !== undefined) this.command = text.replace(/^\[(.*)\]$/s, "$1").replaceAll(",", " ");
    }
  }

  #expansion(node: CaliNode): Expansion {
    const known = this.#expansions.get(node);
    if (known !== undefined) return known;
    const path: string[] = [];
    const labels = new Map<string, string>();
    for (let at: CaliNode | undefined = node; at !== undefined; at = at.parent) {
      if (++this.#onPaths > mostOnPaths) throw this.#bad("is nested too deeply, with those before it");
      const { attribute, data } = at;
      if (attribute === undefined || (attribute.properties & hidden) !== 0) continue;
      if ((attribute.properties & nested) !== 0) path.push(data);
      else if (!traceName.test(attribute.name) && !labels.has(attribute.name)) labels.set(attribute.name, data);
    }
    const expansion = { path: path.reverse(), labels };
    this.#expansions.set(node, expansion);
    return expansion;
  }

  #node(text: string | undefined): CaliNode {
    const node = this.#nodes.get(Number(text));
    if (node === undefined) throw this.#bad("names an unknown node");
    return node;
  }

  #number(fields: Fields, name: string): number {
    const text = fields.get(name)?.[0] ?? "";
    if (!/^\d{1,15}$/.test(text)) throw this.#bad(`has no number '${name}'`);
    return Number(text);
  }

  #bad(reason: string): Failure {
    return this.#document.bad(`line ${this.#line} ${reason}`);
  }
}

/** The name of a node that describes an attribute comes with its parents: properties, unit and type. */
function attributeOf(name: string, parent: CaliNode | undefined): Attribute {
  let [type, unit, properties] = [-1, undefined as string | undefined, 0];
  for (let at = parent; at !== undefined; at = at.parent) {
    if (at.id < nameId) type = at.id;
    if (at.attribute?.name === "attribute.unit") unit ??= at.data;
    if (at.attribute?.name === metadata[2]) properties ||= Number(at.data);
  }
  return { name, type, unit, properties };
}

/** `key=value=value,key=value`; a backslash takes the special meaning from the next character. */
function fieldsOf(line: string): Fields {
  return new Map(
    splitText(line, ",").map((field) => {
      const [name = "", ...values] = splitText(field, "=").map(unescape);
      return [name, values];
    }),
  );
}

function splitText(text: string, separator: string): string[] {
  if (!text.includes("\\")) return text.split(separator);
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at < text.length; at++)
    if (text[at] === "\\") at++;
    else if (text[at] === separator) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  return [...parts, text.slice(from)];
}

function unescape(text: string): string {
  return text.replaceAll(/\\(.)/gs, (_, letter: string) => (letter === "n" ? "\n" : letter));
}

import { Failure } from "../../../core/failures/index.ts";
import {
  StackSamples,
  StackTable,
  type SampleLabel,
  type StackFacts,
  type StackFrame,
  type StackModule,
  type StackProfile,
  type ValueType,
} from "../../../core/profiles/index.ts";
import { ProfileDocument, positive, type DocumentObject } from "../profiler-document.ts";
import { decodeOtlp, isOtlp } from "./otlp-message.ts";

/** Attribute of a mapping with the build id. */
const buildIdKey = "process.executable.build_id.gnu";

/**
 * Reads OpenTelemetry profiles (message ProfilesData of opentelemetry/proto/profiles/v1development, with a table of
 * stacks): Protocol Buffers, JSON, or a line of JSON per message. Profiles with the same type are summed. Fails with
 * `bad-stack-profile`, and with `no-stacks` if there are no samples.
 */
export function readOtlp(bytes: Uint8Array, file: string): StackProfile {
  const document = new ProfileDocument(file, "OTLP");
  const collected = new OtlpProfiles(document);
  if (isOtlp(bytes)) collected.add(decodeOtlp(bytes, file));
  else for (const each of documentsIn(bytes, document)) collected.add(each);
  return collected.profile(file);
}

function documentsIn(bytes: Uint8Array, document: ProfileDocument): unknown[] {
  if (bytes.length > 500 << 20) throw document.bad("its JSON has more than 500 MiB");
  const text = new TextDecoder().decode(bytes);
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const isLines = lines.length > 1 && lines.every((line) => /^\{.*\}\s*$/.test(line));
  return isLines ? lines.map((line) => document.json(line)) : [document.json(text)];
}

class OtlpProfiles {
  readonly #document: ProfileDocument;
  readonly #stacks = new StackTable<StackFrame>();
  readonly #types: ValueType[] = [];
  /** Stack, labels, type and value of each sample. */
  readonly #samples: (readonly [stack: number, labels: ReadonlyMap<string, readonly SampleLabel[]>, number, number])[] =
    [];
  #facts: StackFacts = {};

  constructor(document: ProfileDocument) {
    this.#document = document;
  }

  add(data: unknown): void {
    const document = this.#document;
    const root = document.object(data, "the document");
    const tables = new OtlpTables(document, this.#stacks, document.object(root["dictionary"] ?? {}, "dictionary"));
    for (const resource of objects(document, root, "resourceProfiles")) {
      const service = serviceOf(document, resource);
      for (const scope of objects(document, resource, "scopeProfiles"))
        for (const profile of objects(document, scope, "profiles")) this.#addProfile(profile, tables, service);
    }
  }

  profile(file: string): StackProfile {
    if (this.#samples.length === 0) throw new Failure("no-stacks", { file, what: "otlp" });
    const samples = new StackSamples(this.#types.length);
    for (const [stack, labels, type, value] of this.#samples)
      samples.addTo(samples.row(stack, samples.labels(labels)), type, value);
    return { stacks: this.#stacks, types: this.#types, main: 0, samples, facts: this.#facts };
  }

  #addProfile(profile: DocumentObject, tables: OtlpTables, service: string): void {
    const document = this.#document;
    const type = this.#typeOf(tables.valueType(profile["sampleType"]));
    for (const sample of objects(document, profile, "samples")) {
      const values = integers(document, sample["values"], "values");
      const points = document.list(sample["timestampsUnixNano"] ?? [], "timestampsUnixNano").length;
      if (values.length === 0 && points === 0) throw document.bad("a sample has neither values nor times");
      const value = values.length === 0 ? points : values.reduce((sum, each) => sum + each, 0);
      const labels = tables.labels(integers(document, sample["attributeIndices"], "attributeIndices"));
      if (service !== "") labels.set("service.name", [service]);
      this.#samples.push([tables.stack(integer(document, sample["stackIndex"], "stackIndex")), labels, type, value]);
    }
    this.#addFacts(profile, tables);
  }

  #addFacts(profile: DocumentObject, tables: OtlpTables): void {
    const started = address(this.#document, profile["timeUnixNano"]);
    const duration = integer(this.#document, profile["durationNano"], "durationNano");
    const period = integer(this.#document, profile["period"], "period");
    const known = this.#facts;
    const isEarlier = started !== 0n && (known.started === undefined || started < known.started);
    this.#facts = {
      ...known,
      ...(isEarlier ? { started } : {}),
      ...(duration > (known.duration ?? 0) ? { duration } : {}),
      ...(period === 0 || known.period !== undefined
        ? {}
        : { period: { type: tables.valueType(profile["periodType"]), value: period } }),
    };
  }

  #typeOf({ name, unit }: ValueType): number {
    const known = this.#types.findIndex((each) => each.name === name && each.unit === unit);
    return known < 0 ? this.#types.push({ name: name === "" ? "samples" : name, unit }) - 1 : known;
  }
}

/** The tables of a message, to which its profiles refer by index. */
class OtlpTables {
  readonly #document: ProfileDocument;
  readonly #stacks: StackTable<StackFrame>;
  readonly #tables: DocumentObject;
  readonly #nodes = new Map<number, number>();
  readonly #frames = new Map<number, readonly number[]>();

  constructor(document: ProfileDocument, stacks: StackTable<StackFrame>, dictionary: DocumentObject) {
    this.#document = document;
    this.#stacks = stacks;
    this.#tables = dictionary;
  }

  valueType(value: unknown): ValueType {
    const type = this.#document.object(value ?? {}, "a type");
    return { name: this.#string(type["typeStrindex"]), unit: this.#string(type["unitStrindex"]) };
  }

  labels(indices: readonly number[]): Map<string, SampleLabel[]> {
    const labels = new Map<string, SampleLabel[]>();
    for (const index of indices) {
      const attribute = this.#entry("attributeTable", index);
      const label = labelOf(this.#document, attribute["value"], this.#string(attribute["unitStrindex"]));
      if (label !== null) labels.set(this.#string(attribute["keyStrindex"]), [label]);
    }
    return labels;
  }

  /** The node of a stack, whose locations are listed innermost first. */
  stack(index: number): number {
    let node = this.#nodes.get(index);
    if (node !== undefined) return node;
    const { locationIndices } = this.#entry("stackTable", index);
    node = integers(this.#document, locationIndices, "locationIndices").reduceRight(
      (caller, location) => this.#framesAt(location).reduce((each, frame) => this.#stacks.called(each, frame), caller),
      0,
    );
    this.#nodes.set(index, node);
    return node;
  }

  /** Outermost first: inlined calls precede their callers. */
  #framesAt(index: number): readonly number[] {
    let frames = this.#frames.get(index);
    if (frames === undefined) this.#frames.set(index, (frames = this.#newFrames(this.#entry("locationTable", index))));
    return frames;
  }

  #newFrames(location: DocumentObject): number[] {
    const module = this.#module(integer(this.#document, location["mappingIndex"], "mappingIndex"));
    const at = address(this.#document, location["address"]);
    const position = { ...(module === null ? {} : { module }), ...(at === 0n ? {} : { address: at }) };
    const lines = objects(this.#document, location, "lines");
    const frames: StackFrame[] = lines.map((each, order) => {
      const line = positive(integer(this.#document, each["line"], "line"));
      const column = positive(integer(this.#document, each["column"], "column"));
      return {
        ...this.#function(integer(this.#document, each["functionIndex"], "functionIndex")),
        ...position,
        ...(line === undefined ? {} : { line }),
        ...(column === undefined ? {} : { column }),
        ...(order < lines.length - 1 ? { inlined: true } : {}),
      };
    });
    const all = frames.length === 0 ? [{ function: "", ...position }] : frames;
    return all.toReversed().map((frame) => this.#stacks.frame(keyOf(frame), () => frame));
  }

  #function(index: number): StackFrame {
    const called = this.#entry("functionTable", index);
    const [name, systemName, source] = ["nameStrindex", "systemNameStrindex", "filenameStrindex"].map((each) =>
      this.#string(called[each]),
    );
    const startLine = positive(integer(this.#document, called["startLine"], "startLine"));
    return {
      function: name!,
      ...(systemName === "" || systemName === name ? {} : { systemName: systemName! }),
      ...(source === "" ? {} : { source: source! }),
      ...(startLine === undefined ? {} : { startLine }),
    };
  }

  #module(index: number): StackModule | null {
    if (index === 0) return null;
    const mapping = this.#entry("mappingTable", index);
    const buildId = this.labels(integers(this.#document, mapping["attributeIndices"], "attributeIndices")).get(
      buildIdKey,
    );
    return {
      path: this.#string(mapping["filenameStrindex"]),
      start: address(this.#document, mapping["memoryStart"]),
      limit: address(this.#document, mapping["memoryLimit"]),
      offset: address(this.#document, mapping["fileOffset"]),
      ...(typeof buildId?.[0] === "string" ? { buildId: buildId[0] } : {}),
    };
  }

  #string(index: unknown): string {
    const table = this.#document.list(this.#tables["stringTable"] ?? [], "stringTable");
    const at = integer(this.#document, index, "an index of a string");
    return at === 0
      ? ""
      : this.#document.text(table[this.#document.index(at, table.length, "an index of a string")], "a string");
  }

  #entry(name: string, index: number): DocumentObject {
    const table = this.#document.list(this.#tables[name] ?? [], name);
    return this.#document.object(table[this.#document.index(index, table.length, `an index of ${name}`)], name);
  }
}

function keyOf(frame: StackFrame): string {
  return JSON.stringify(frame, (_, value: unknown) => (typeof value === "bigint" ? `${value}n` : value));
}

function objects(document: ProfileDocument, parent: DocumentObject, name: string): DocumentObject[] {
  return document.list(parent[name] ?? [], name).map((each) => document.object(each, name));
}

function serviceOf(document: ProfileDocument, parent: DocumentObject): string {
  const attributes = objects(document, document.object(parent["resource"] ?? {}, "resource"), "attributes");
  const value = attributes.find(({ key }) => key === "service.name")?.["value"];
  const label = labelOf(document, value, "");
  return typeof label === "string" ? label : "";
}

/** A text, or a whole number; null for other attributes. */
function labelOf(document: ProfileDocument, value: unknown, unit: string): SampleLabel | null {
  const { stringValue, boolValue, intValue } = document.object(value ?? {}, "the value of an attribute");
  if (typeof stringValue === "string") return stringValue;
  if (boolValue !== undefined) return String(Boolean(boolValue));
  return intValue === undefined ? null : { value: integer(document, intValue, "intValue"), unit };
}

/** JSON has integers of 64 bits as texts; fields that are 0 are left out. */
function integer(document: ProfileDocument, value: unknown, what: string): number {
  if (value === undefined || value === null) return 0;
  const number = typeof value === "string" && /^-?\d{1,20}$/.test(value) ? Number(value) : value;
  return document.number(typeof number === "bigint" ? Number(number) : number, what);
}

function integers(document: ProfileDocument, value: unknown, what: string): number[] {
  return document.list(value ?? [], what).map((each) => integer(document, each, what));
}

function address(document: ProfileDocument, value: unknown): bigint {
  if (typeof value === "bigint") return value;
  if (typeof value === "string" && /^\d{1,20}$/.test(value)) return BigInt.asUintN(64, BigInt(value));
  const number = integer(document, value, "an address or time");
  if (!Number.isSafeInteger(number) || number < 0) throw document.bad("an address or time is out of range");
  return BigInt(number);
}

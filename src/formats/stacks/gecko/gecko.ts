import {
  StackSamples,
  type StackFrame,
  type StackProfile,
  type ValueType,
  StackTable,
} from "../../../core/profiles/index.ts";
import { readJsonStream, type JsonStream } from "../../json/index.ts";
import { FrameIndexStacks } from "../frame-index-stacks.ts";
import { ProfileDocument, isObject } from "../profiler-document.ts";
import { GeckoTables, GeckoStacks, locatedFrame } from "./gecko-stacks.ts";
import { GeckoTable } from "./gecko-table.ts";

/** Value types by `weightType`. */
const weightTypes: ReadonlyMap<unknown, ValueType> = new Map([
  ["tracing-ms", { name: "time", unit: "milliseconds" }],
  ["bytes", { name: "space", unit: "bytes" }],
]);

/** The type of unweighted samples. */
const counted: ValueType = { name: "samples", unit: "count" };

/** Members of a thread that become labels; the first existing one is used. */
const labelMembers = [
  ["process", ["processName", "processType"]],
  ["pid", ["pid"]],
  ["thread", ["name"]],
  ["tid", ["tid"]],
] as const;

/** Upper bound of stack indices. */
const maxStacks = 2 ** 31 - 1;

/**
 * A thread of a Firefox profile: sums of its samples by stack, and its tables until the stacks are resolved.
 */
class GeckoThread {
  readonly #document: ProfileDocument;
  readonly #members = new Map<string, unknown>();
  #tables: GeckoTables;
  /** For samples that list their frames: frame locations, and stacks of their numbers. */
  readonly #locations = new Map<string, number>();
  readonly #locationStacks = new FrameIndexStacks();
  #isOld = false;
  /** Sums of samples by stack of the thread; after `resolve` by node of the profile's stacks. */
  #sums = new StackSamples(1);
  #hasSamples = false;
  #isResolved = false;
  /** Value type of the samples. */
  type = counted;

  constructor(document: ProfileDocument) {
    this.#document = document;
    this.#tables = new GeckoTables(document);
  }

  /** Reads the next member if it is relevant; otherwise returns false without reading it. */
  async take(key: string, json: JsonStream): Promise<boolean> {
    if (key === "samples") await this.#takeSamples(json);
    else if (labelMembers.some(([, members]) => members.some((member) => member === key)))
      this.#members.set(key, await json.value());
    else return this.#tables.take(key, json);
    return true;
  }

  /** Resolves its stacks and drops its tables if it needs no shared tables. */
  resolveIfSelfContained(stacks: StackTable<StackFrame>): void {
    if (this.#isOld || this.#tables.isSelfContained) this.resolve(new GeckoTables(this.#document), stacks);
  }

  /** Resolves its stacks with shared tables and drops its tables. */
  resolve(shared: GeckoTables, stacks: StackTable<StackFrame>): void {
    if (this.#isResolved) return;
    if (!this.#hasSamples) throw this.#document.bad("'samples' is not an object");
    const sums = this.#sums;
    const nodeOf = this.#isOld ? this.#oldNodes(stacks) : this.#nodes(shared, stacks);
    this.#sums = new StackSamples(1);
    for (let row = 0; row < sums.length; row++) {
      const node = nodeOf(sums.stackOf(row));
      this.#sums.addTo(this.#sums.row(node), 0, sums.valueOf(row, 0));
    }
    this.#tables = new GeckoTables(this.#document);
    this.#isResolved = true;
  }

  /** Passes the sum of samples of each stack to `take`. Requires `resolve`. */
  forEachSum(take: (stack: number, sum: number) => void): void {
    const sums = this.#sums;
    for (let row = 0; row < sums.length; row++) take(sums.stackOf(row), sums.valueOf(row, 0));
  }

  labels(): ReadonlyMap<string, readonly string[]> {
    const candidates = labelMembers.map(
      ([label, members]) => [label, members.map((member) => this.#members.get(member) ?? null)] as const,
    );
    const values = candidates.map(([label, all]) => [label, all.find((value) => value !== null)] as const);
    const texts = values.map(([label, value]) => [label, typeof value === "number" ? String(value) : value] as const);
    return new Map(
      texts.flatMap(([label, text]) => (typeof text === "string" && text !== "" ? [[label, [text]]] : [])),
    );
  }

  async #takeSamples(json: JsonStream): Promise<void> {
    const sums = this.#sums;
    this.#hasSamples = true;
    if (await json.isList()) {
      this.#isOld = true;
      return json.elements("'samples'", (samples) =>
        samples.forEach((sample) => sums.addTo(sums.row(this.#oldStack(sample)), 0, 1)),
      );
    }
    if (!(await json.isObject())) throw this.#document.bad("'samples' is not an object");
    const table = await GeckoTable.read(
      json,
      this.#document,
      ["stack", "weight"],
      ([stack = Number.NaN, weight = Number.NaN]) => {
        // Samples without a stack are skipped.
        if (Number.isNaN(stack)) return;
        const row = sums.row(this.#document.index(stack, maxStacks, "a stack"));
        sums.addTo(row, 0, Number.isFinite(weight) ? weight : 1);
      },
    );
    this.type = weightTypes.get(table.property("weightType")) ?? counted;
  }

  /** Before 2015 each sample listed its frames. */
  #oldStack(sample: unknown): number {
    const document = this.#document;
    const frames = document.list(document.object(sample, "a sample")["frames"], "the frames of a sample");
    return frames.reduce((caller: number, frame) => {
      const location = document.text(isObject(frame) ? frame["location"] : frame, "the location of a frame");
      const index = this.#locations.get(location) ?? this.#locations.size;
      this.#locations.set(location, index);
      return this.#locationStacks.called(caller, index);
    }, 0);
  }

  /** Callers precede their callees. */
  #oldNodes(stacks: StackTable<StackFrame>): (stack: number) => number {
    const frames = [...this.#locations.keys()].map((location) => locatedFrame(stacks, location));
    const [calls, nodes] = [this.#locationStacks, new Int32Array(this.#locationStacks.size)];
    for (let stack = 1; stack < nodes.length; stack++)
      nodes[stack] = stacks.called(nodes[calls.callerOf(stack)]!, frames[calls.frameIndexOf(stack)]!);
    return (stack) => nodes[stack]!;
  }

  #nodes(shared: GeckoTables, stacks: StackTable<StackFrame>): (stack: number) => number {
    const own = new GeckoStacks(this.#document, this.#tables, shared, stacks);
    return (stack) => own.nodeOf(stack);
  }
}

/** Maximum nesting of processes; Firefox nests one level. */
const maxNesting = 8;

/**
 * Reads a Firefox profile as written by the browser (tables with a `schema`) or by profiler.firefox.com (tables by
 * column, shared by all threads in newer versions), optionally in a file of the developer tools: the samples of all
 * threads of all processes, distinguished by labels. Holds only sums of samples, and the columns that define stacks
 * until these are resolved. Layout: docs-developer/ of github.com/firefox-devtools/profiler. Fails with
 * `bad-stack-profile`, `no-stacks`.
 */
export async function readGecko(source: AsyncIterable<Uint8Array>, file: string): Promise<StackProfile> {
  const document = new ProfileDocument(file, "Firefox");
  const reader = new GeckoReader(document);
  const threads = await readJsonStream(
    source,
    (reason) => document.bad(reason),
    (json) => reader.root(json),
  );
  if (threads.length === 0) throw document.bad("it has no threads");
  const types = [...new Set(threads.map(({ type }) => type))].toSorted(
    (a, b) => Number(b === counted) - Number(a === counted),
  );
  const samples = new StackSamples(types.length);
  for (const thread of threads) {
    const type = types.indexOf(thread.type);
    const labels = samples.labels(threads.length > 1 ? thread.labels() : new Map());
    thread.forEachSum((stack, sum) => {
      if (stack > 0) samples.addTo(samples.row(stack, labels), type, sum);
    });
  }
  return { stacks: reader.stacks, types, main: 0, samples, facts: {} };
}

class GeckoReader {
  readonly #document: ProfileDocument;
  readonly stacks = new StackTable<StackFrame>();

  constructor(document: ProfileDocument) {
    this.#document = document;
  }

  /** The threads of a document; in a file of the developer tools, the profile is a member. */
  async root(json: JsonStream): Promise<readonly GeckoThread[]> {
    let wrapped: readonly GeckoThread[] | null = null;
    const part = new GeckoPart(this.#document, this.stacks, 0);
    await json.members("the document", async (key) => {
      if (key !== "profile" || !(await json.isObject())) return part.take(key, json);
      const profile = new GeckoPart(this.#document, this.stacks, 0);
      await json.members("'profile'", (member) => profile.take(member, json));
      wrapped = profile.threads();
    });
    return wrapped ?? part.threads();
  }
}

/** A profile or a thread; only its members show which. */
class GeckoPart {
  readonly #document: ProfileDocument;
  readonly #stacks: StackTable<StackFrame>;
  readonly #depth: number;
  readonly #own: GeckoThread;
  readonly #shared: GeckoTables;
  readonly #lists = new Map<string, GeckoPart[]>();

  constructor(document: ProfileDocument, stacks: StackTable<StackFrame>, depth: number) {
    this.#document = document;
    this.#stacks = stacks;
    this.#depth = depth;
    this.#own = new GeckoThread(document);
    this.#shared = new GeckoTables(document);
  }

  /** Reads the next member. */
  async take(key: string, json: JsonStream): Promise<void> {
    if (key === "threads" || key === "processes") await this.#takeParts(key, json);
    else if (key === "shared" && (await json.isObject()))
      await json.members("'shared'", (member) => this.#takeShared(member, json));
    else if (!(await this.#own.take(key, json))) await json.skip();
  }

  /** The threads of a profile. Old profiles list processes among threads. */
  threads(): readonly GeckoThread[] {
    const parts = this.#lists.get("threads") ?? [];
    const own = parts.flatMap((part) => (part.#isProfile ? part.threads() : [part.#resolved(this.#shared)]));
    return [...own, ...(this.#lists.get("processes") ?? []).flatMap((part) => part.threads())];
  }

  get #isProfile(): boolean {
    return this.#lists.has("threads");
  }

  #resolved(shared: GeckoTables): GeckoThread {
    this.#own.resolve(shared, this.#stacks);
    return this.#own;
  }

  async #takeShared(key: string, json: JsonStream): Promise<void> {
    if (!(await this.#shared.take(key, json))) await json.skip();
  }

  async #takeParts(key: "threads" | "processes", json: JsonStream): Promise<void> {
    if (this.#depth > maxNesting) throw this.#document.bad("its processes are nested too deeply");
    const parts: GeckoPart[] = [];
    this.#lists.set(key, parts);
    if (await json.isNull()) return json.skip();
    const what = key === "threads" ? "a thread" : "a process";
    await json.each(`'${key}'`, async () => {
      const part = new GeckoPart(this.#document, this.#stacks, this.#depth + 1);
      await ((await json.isText()) ? part.#readText(String(await json.value()), what) : part.#read(json, what));
      if (!part.#isProfile && key === "threads") part.#own.resolveIfSelfContained(this.#stacks);
      parts.push(part);
    });
  }

  #read(json: JsonStream, what: string): Promise<void> {
    return json.members(what, (key) => this.take(key, json));
  }

  /** Threads and processes may be strings of JSON. */
  #readText(text: string, what: string): Promise<void> {
    return readJsonStream(
      bytesOf(text),
      (reason) => this.#document.bad(reason),
      (json) => this.#read(json, what),
    );
  }
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}

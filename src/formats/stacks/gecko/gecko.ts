import { StackSamples, type StackFrame, type StackProfile, type ValueType } from "../../../core/profiles/stack-profile.ts";
import { StackTable } from "../../../core/profiles/stack-table.ts";
import { readJsonStream, type JsonStream } from "../../json/json-stream.ts";
import { PlacedStacks } from "../frame-index-stacks.ts";
import { ProfileDocument, isObject } from "../profiler-document.ts";
import { GeckoTables, GeckoStacks, locatedFrame } from "./gecko-stacks.ts";
import { GeckoTable } from "./gecko-table.ts";

/** What the weights of samples may be (`weightType`), besides that each counts once. */
const weightTypes: ReadonlyMap<unknown, ValueType> = new Map([
  ["tracing-ms", { name: "time", unit: "milliseconds" }],
  ["bytes", { name: "space", unit: "bytes" }],
]);

/** The type of samples that each count once. */
const counted: ValueType = { name: "samples", unit: "count" };

/** Members that tell threads apart, by their labels; of two for one label the first counts. */
const words = [
  ["process", ["processName", "processType"]],
  ["pid", ["pid"]],
  ["thread", ["name"]],
  ["tid", ["tid"]],
] as const;

/** Beyond it no place of a stack can be. */
const mostStacks = 2 ** 31 - 1;

/**
 * A thread of a Firefox profile: the sums of its samples by stack, and the tables that say what stacks are until those
 * are known.
 */
class GeckoThread {
  readonly #document: ProfileDocument;
  readonly #told = new Map<string, unknown>();
  #tables: GeckoTables;
  /** Of samples that list their frames: those frames, and stacks of their places. */
  readonly #locations = new Map<string, number>();
  readonly #placed = new PlacedStacks();
  #isOld = false;
  /** The sums of samples, first by what names stacks in the thread, then by node of the profile's stacks. */
  #sums = new StackSamples(1);
  #hasSamples = false;
  #isResolved = false;
  /** What samples are. */
  type = counted;

  constructor(document: ProfileDocument) {
    this.#document = document;
    this.#tables = new GeckoTables(document);
  }

  /** Reads the member that comes next; false: it is none of a thread's that matters, and is still to be read. */
  async take(key: string, json: JsonStream): Promise<boolean> {
    if (key === "samples") await this.#takeSamples(json);
    else if (words.some(([, members]) => members.some((member) => member === key)))
      this.#told.set(key, await json.value());
    else return this.#tables.take(key, json);
    return true;
  }

  /** Finds its stacks in those of the profile, if what it has itself is enough for it, and lets go of its tables. */
  resolveAlone(stacks: StackTable<StackFrame>): void {
    if (this.#isOld || this.#tables.isWhole) this.resolve(new GeckoTables(this.#document), stacks);
  }

  /** As `resolveAlone`, with what all threads have in common. */
  resolve(shared: GeckoTables, stacks: StackTable<StackFrame>): void {
    if (this.#isResolved) return;
    if (!this.#hasSamples) throw this.#document.bad("'samples' is no object");
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

  /** Tells the sum of the samples of each stack; to be called when its stacks were found. */
  deliver(take: (stack: number, sum: number) => void): void {
    const sums = this.#sums;
    for (let row = 0; row < sums.length; row++) take(sums.stackOf(row), sums.valueOf(row, 0));
  }

  labels(): ReadonlyMap<string, readonly string[]> {
    const found = words.map(
      ([label, members]) => [label, members.map((member) => this.#told.get(member) ?? null)] as const,
    );
    const told = found.map(([label, contents]) => [label, contents.find((content) => content !== null)] as const);
    const texts = told.map(([label, word]) => [label, typeof word === "number" ? String(word) : word] as const);
    return new Map(
      texts.flatMap(([label, word]) => (typeof word === "string" && word !== "" ? [[label, [word]]] : [])),
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
    if (!(await json.isObject())) throw this.#document.bad("'samples' is no object");
    const table = await GeckoTable.read(
      json,
      this.#document,
      ["stack", "weight"],
      ([stack = Number.NaN, weight = Number.NaN]) => {
        // Samples without a stack are those of no stack.
        if (Number.isNaN(stack)) return;
        const row = sums.row(this.#document.place(stack, mostStacks, "a stack"));
        sums.addTo(row, 0, Number.isFinite(weight) ? weight : 1);
      },
    );
    this.type = weightTypes.get(table.told("weightType")) ?? counted;
  }

  /** Before 2015 each sample listed its frames. */
  #oldStack(sample: unknown): number {
    const document = this.#document;
    const frames = document.list(document.object(sample, "a sample")["frames"], "the frames of a sample");
    return frames.reduce((caller: number, frame) => {
      const location = document.text(isObject(frame) ? frame["location"] : frame, "the location of a frame");
      const place = this.#locations.get(location) ?? this.#locations.size;
      this.#locations.set(location, place);
      return this.#placed.called(caller, place);
    }, 0);
  }

  /** Every stack comes after the one that called it. */
  #oldNodes(stacks: StackTable<StackFrame>): (stack: number) => number {
    const frames = [...this.#locations.keys()].map((location) => locatedFrame(stacks, location));
    const nodes = new Int32Array(this.#placed.size);
    for (let stack = 1; stack < nodes.length; stack++)
      nodes[stack] = stacks.called(nodes[this.#placed.callerOf(stack)]!, frames[this.#placed.placeOf(stack)]!);
    return (stack) => nodes[stack]!;
  }

  #nodes(shared: GeckoTables, stacks: StackTable<StackFrame>): (stack: number) => number {
    const own = new GeckoStacks(this.#document, this.#tables, shared, stacks);
    return (stack) => own.nodeOf(stack);
  }
}

/** Profiles within profiles; Firefox nests one level. */
const deepestNesting = 8;

/**
 * Reads a profile of Firefox, as the browser writes it (tables with a `schema`) or as profiler.firefox.com does (tables
 * by column, in newer versions shared by all threads), alone or in a file of the developer tools: the samples of all
 * threads of all processes, which labels tell apart. Of samples the sums are kept, of tables what stacks consist of,
 * until the stacks are known. Layout: docs-developer/ of github.com/firefox-devtools/profiler. Fails with
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
    thread.deliver((stack, sum) => {
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

  /** The threads of a document; a file of the developer tools has the profile in a member. */
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

/** A profile, or a thread: which of the two an object is shows when its members have come. */
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

  /** Reads over the member that comes next. */
  async take(key: string, json: JsonStream): Promise<void> {
    if (key === "threads" || key === "processes") await this.#takeParts(key, json);
    else if (key === "shared" && (await json.isObject()))
      await json.members("'shared'", (member) => this.#takeShared(member, json));
    else if (!(await this.#own.take(key, json))) await json.skip();
  }

  /** Those of a profile. Old ones list processes among threads. */
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
    if (this.#depth > deepestNesting) throw this.#document.bad("its processes are nested too deeply");
    const parts: GeckoPart[] = [];
    this.#lists.set(key, parts);
    if (await json.isNull()) return json.skip();
    const what = key === "threads" ? "a thread" : "a process";
    await json.each(`'${key}'`, async () => {
      const part = new GeckoPart(this.#document, this.#stacks, this.#depth + 1);
      await ((await json.isText()) ? part.#readText(String(await json.value()), what) : part.#read(json, what));
      if (!part.#isProfile && key === "threads") part.#own.resolveAlone(this.#stacks);
      parts.push(part);
    });
  }

  #read(json: JsonStream, what: string): Promise<void> {
    return json.members(what, (key) => this.take(key, json));
  }

  /** Threads and processes may stand as texts of JSON. */
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

import { StackSamples, type StackFrame, type StackProfile } from "../../../core/profiles/stack-profile.ts";
import { StackTable } from "../../../core/profiles/stack-table.ts";
import { readJsonStream, type JsonStream } from "../../json/json-stream.ts";
import { ProfileDocument } from "../profiler-document.ts";
import { GeckoTables } from "./gecko-tables.ts";
import { counted, GeckoThread } from "./gecko-thread.ts";

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

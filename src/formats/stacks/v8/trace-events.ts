import { StackSamples, type StackFrame, type StackProfile, StackTable } from "../../../core/profiles/index.ts";
import { readJsonStream, type JsonStream } from "../../json/index.ts";
import { isObject, ProfileDocument, type DocumentObject } from "../profiler-document.ts";
import { indexRange } from "./time-order.ts";
import { SampledThread } from "./v8-stacks.ts";

/** The slices of one thread, in any order. Times are microseconds. */
class ThreadSlices {
  /**
   * A slice is a named time interval of the thread; its end is NaN while it is open. Stored as lists of numbers,
   * because there may be millions.
   */
  readonly #frames: number[] = [];
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  /** `B` and `E` events in file order: a frame, or −1 for an end. */
  readonly #marks: number[] = [];
  readonly #times: number[] = [];

  complete(frame: number, at: number, duration: number): void {
    this.#frames.push(frame);
    this.#starts.push(at);
    this.#ends.push(at + duration);
  }

  begin(frame: number, at: number): void {
    this.#marks.push(frame);
    this.#times.push(at);
  }

  end(at: number): void {
    this.begin(-1, at);
  }

  /**
   * Passes the stack and self time of each slice to `take`. Slices that overlap the end of an outer one are truncated.
   */
  forEachSlice(stacks: StackTable<StackFrame>, take: (stack: number, microseconds: number) => void): void {
    this.#closeMarks();
    const [starts, ends] = [this.#starts, this.#ends];
    // Of slices with the same start, the longer one is the outer one; of equal slices, the first one.
    const order = inOrder(starts.length, (a, b) => starts[a]! - starts[b]! || ends[b]! - ends[a]! || a - b);
    const open: { readonly stack: number; readonly start: number; readonly end: number; inner: number }[] = [];
    const close = (until: number): void => {
      for (let last = open.at(-1); last !== undefined && last.end <= until; last = open.at(-1)) {
        open.pop();
        take(last.stack, last.end - last.start - last.inner);
      }
    };
    for (const slice of order) {
      const start = starts[slice]!;
      close(start);
      const outer = open.at(-1);
      const end = Math.min(ends[slice]!, outer?.end ?? Number.POSITIVE_INFINITY);
      if (outer !== undefined) outer.inner += end - start;
      open.push({ stack: stacks.called(outer?.stack ?? 0, this.#frames[slice]!), start, end, inner: 0 });
    }
    close(Number.POSITIVE_INFINITY);
  }

  /** Slices without an end last until the thread's last event. */
  #closeMarks(): void {
    const [marks, times] = [this.#marks, this.#times];
    const open: number[] = [];
    let latest = 0;
    for (const mark of inOrder(marks.length, (a, b) => times[a]! - times[b]! || a - b)) {
      latest = times[mark]!;
      if (marks[mark]! >= 0) {
        open.push(this.#starts.length);
        this.complete(marks[mark]!, latest, Number.NaN);
      } else {
        const last = open.pop();
        if (last !== undefined) this.#ends[last] = latest;
      }
    }
    for (const [at, end] of this.#ends.entries())
      latest = Math.max(latest, Number.isNaN(end) ? this.#starts[at]! : end);
    for (const slice of open) this.#ends[slice] = latest;
    marks.length = times.length = 0;
  }
}

/** The sorted indices below `count`; skips sorting if they are in order, as most programs write them. */
function inOrder(count: number, compare: (a: number, b: number) => number): Uint32Array {
  const order = indexRange(count);
  for (let at = 1; at < count; at++) if (compare(at - 1, at) > 0) return order.sort(compare);
  return order;
}

/**
 * Reads trace events of Chrome and many other programs (Trace Event Format: a list, whose end may be missing, or an
 * object with `traceEvents`): nested slices of threads (`B` and `E`, `X`) with their self time in microseconds, and
 * samples of V8's profiler (`Profile`, `ProfileChunk`). Ignores other events. Fails with `bad-stack-profile`,
 * `no-stacks`.
 */
export async function readTraceEvents(source: AsyncIterable<Uint8Array>, file: string): Promise<StackProfile> {
  const document = new ProfileDocument(file, "trace events");
  const reader = new TraceReader(document);
  const take = (events: readonly unknown[]): void => {
    for (const event of events) if (isObject(event)) reader.take(event);
  };
  return readJsonStream(
    source,
    (reason) => document.bad(reason),
    async (json) => {
      if (await json.isList()) await json.elements("the document", take, true);
      else await readObject(json, document, take);
      return reader.end();
    },
  );
}

async function readObject(
  json: JsonStream,
  document: ProfileDocument,
  take: (events: readonly unknown[]) => void,
): Promise<void> {
  let hasEvents = false;
  await json.members("the document", async (key) => {
    if (key !== "traceEvents") return json.skip();
    hasEvents = true;
    await json.elements("'traceEvents'", take);
  });
  if (!hasEvents) throw document.bad("'traceEvents' is not a list");
}

class TraceReader {
  readonly #document: ProfileDocument;
  readonly #stacks = new StackTable<StackFrame>();
  readonly #slices = new Map<string, ThreadSlices>();
  readonly #sampled = new Map<string, SampledThread>();
  /** Names by process, and by process and thread. */
  readonly #names = new Map<string, string>();

  constructor(document: ProfileDocument) {
    this.#document = document;
  }

  take(event: DocumentObject): void {
    const { ph: kind, name } = event;
    const thread = `${idText(event["pid"])} ${idText(event["tid"])}`;
    if (kind === "M") return this.#takeName(event, thread);
    if (name === "Profile" || name === "ProfileChunk") return this.#takeChunk(event);
    if (kind !== "B" && kind !== "E" && kind !== "X") return;
    const slices = this.#slices.get(thread) ?? new ThreadSlices();
    this.#slices.set(thread, slices);
    const at = this.#number(event["ts"], "'ts'");
    const frame = kind === "E" ? -1 : this.#frame(event);
    if (kind === "X") slices.complete(frame, at, Math.max(0, this.#number(event["dur"] ?? 0, "'dur'")));
    else if (kind === "B") slices.begin(frame, at);
    else slices.end(at);
  }

  end(): StackProfile {
    const types = [
      ...(this.#sampled.size > 0
        ? [
            { name: "samples", unit: "count" },
            { name: "sampled-time", unit: "microseconds" },
          ]
        : []),
      ...(this.#slices.size > 0 ? [{ name: "time", unit: "microseconds" }] : []),
    ];
    if (types.length === 0) throw this.#document.bad("it has neither slices of threads nor samples");
    const samples = new StackSamples(types.length);
    const isOfSeveral = this.#slices.size + this.#sampled.size > 1;
    for (const [thread, sampled] of this.#sampled) {
      const labels = samples.labels(this.#labelsOf(thread, isOfSeveral));
      sampled.forEachSample((stack, count, time) => {
        if (stack === 0) return;
        const row = samples.row(stack, labels);
        samples.addTo(row, 0, count);
        samples.addTo(row, 1, time);
      });
    }
    for (const [thread, slices] of this.#slices) {
      const labels = samples.labels(this.#labelsOf(thread, isOfSeveral));
      slices.forEachSlice(this.#stacks, (stack, time) =>
        samples.addTo(samples.row(stack, labels), types.length - 1, time),
      );
    }
    return { stacks: this.#stacks, types, main: 0, samples, facts: {} };
  }

  /** Chunks of a profile share its id; its thread is that of the `Profile` event. */
  #takeChunk(event: DocumentObject): void {
    const [process, id] = [idText(event["pid"]), idText(event["id"] ?? event["tid"])];
    const key = `${process} ${id}`;
    const sampled = this.#sampled.get(key) ?? new SampledThread(this.#document, this.#stacks);
    this.#sampled.set(key, sampled);
    if (event["name"] === "Profile") this.#names.set(`${key} thread`, idText(event["tid"]));
    const args = isObject(event["args"]) ? event["args"] : {};
    if (isObject(args["data"])) sampled.take(args["data"]);
  }

  #takeName({ name, args, pid }: DocumentObject, thread: string): void {
    const text = isObject(args) ? args["name"] : undefined;
    if (typeof text !== "string" || text === "") return;
    if (name === "thread_name") this.#names.set(thread, text);
    else if (name === "process_name") this.#names.set(idText(pid), text);
  }

  #labelsOf(key: string, isOfSeveral: boolean): ReadonlyMap<string, readonly string[]> {
    if (!isOfSeveral) return new Map();
    const process = key.slice(0, key.indexOf(" "));
    const thread = this.#names.get(`${key} thread`) ?? key.slice(process.length + 1);
    return new Map([
      ["process", [this.#names.get(process) ?? process]],
      ["thread", [this.#names.get(`${process} ${thread}`) ?? thread]],
    ]);
  }

  #frame({ name, cat }: DocumentObject): number {
    const text = typeof name === "string" ? name : "";
    const category = typeof cat === "string" && cat !== "" ? cat : undefined;
    const known = text === "" ? (category ?? "(anonymous)") : text;
    return this.#stacks.frame(`\n${known}`, () => ({ function: known }));
  }

  /** Some programs write numbers as strings. */
  #number(value: unknown, what: string): number {
    return this.#document.number(typeof value === "string" && value.trim() !== "" ? Number(value) : value, what);
  }
}

function idText(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

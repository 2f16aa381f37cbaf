import {
  StackSamples,
  type StackFrame,
  type StackProfile,
  StackTable,
  TimelineBuilder,
  timelineOf,
  type TimelineTrack,
} from "../../../core/profiles/index.ts";
import { readJsonStream, type JsonStream } from "../../json/index.ts";
import { isObject, ProfileDocument, type DocumentObject } from "../profiler-document.ts";
import { labelText, ThreadSlices } from "../thread-slices.ts";
import { SampledThread } from "./v8-stacks.ts";

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
    const timeline = timelineOf("microseconds", [...this.#addSamples(samples), ...this.#addSlices(samples)]);
    return {
      stacks: this.#stacks,
      types,
      main: 0,
      samples,
      facts: {},
      ...(timeline === undefined ? {} : { timeline }),
    };
  }

  #addSamples(samples: StackSamples): TimelineTrack[] {
    return [...this.#sampled].map(([thread, sampled]) => {
      const names = this.#labelsOf(thread);
      const labels = samples.labels(names);
      const timeline = new TimelineBuilder();
      sampled.forEachSample((stack, count, time) => {
        timeline.add(stack, time);
        if (stack === 0) return;
        const row = samples.row(stack, labels);
        samples.addTo(row, 0, count);
        samples.addTo(row, 1, time);
      });
      return timeline.track(names.size === 0 ? "" : `${labelText(names)} (samples)`);
    });
  }

  #addSlices(samples: StackSamples): TimelineTrack[] {
    return [...this.#slices].map(([thread, slices]) => {
      const names = this.#labelsOf(thread);
      const labels = samples.labels(names);
      const timeline = new TimelineBuilder();
      slices.forEachSlice(this.#stacks, timeline, (stack, time) =>
        samples.addTo(samples.row(stack, labels), samples.width - 1, time),
      );
      return timeline.track(labelText(names));
    });
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

  /** None if there is only one thread. */
  #labelsOf(key: string): ReadonlyMap<string, readonly string[]> {
    if (this.#slices.size + this.#sampled.size === 1) return new Map();
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

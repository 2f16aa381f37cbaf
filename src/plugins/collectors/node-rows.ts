import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { JsonNumber, jsonObject, type Json, type JsonObject } from "../../core/values/index.ts";
import { readCpuProfile, readHeapProfile, type V8Frame } from "../../formats/stacks/index.ts";
import type { ProfileDescription, Subject } from "../../formats/profile/index.ts";
import { StackTable } from "../../core/profiles/index.ts";

/** The profile of one thread. */
export interface ThreadProfile {
  readonly process: number;
  readonly thread: number;
  readonly source: AsyncIterable<Uint8Array>;
  readonly file: string;
}

/** Amounts by stack. `started`: on a clock common to all threads of a run, 0 if unknown. */
interface Amounts {
  readonly started: number;
  readonly self: ReadonlyMap<number, number>;
  readonly samples: ReadonlyMap<number, number> | null;
}

/** A kind of V8 profile. */
export interface NodeSource {
  readonly kind: "cpu" | "heap";
  readonly type: "time" | "memory";
  readonly units: ProfileDescription["units"];
  readonly params: Readonly<Record<string, Json>>;
  readonly inclusive: boolean;
  /** Pseudo-functions to omit. */
  readonly omitted: ReadonlySet<string>;
  read(source: AsyncIterable<Uint8Array>, file: string, stacks: StackTable<V8Frame>): Promise<Amounts>;
}

export function cpuSource({ inclusive, idle }: { readonly inclusive: boolean; readonly idle: boolean }): NodeSource {
  return {
    kind: "cpu",
    type: "time",
    units: { time: "us", ...(inclusive ? { "time(inclusive)": "us" } : {}) },
    params: { inclusive, idle },
    inclusive,
    omitted: new Set(idle ? [] : ["(idle)"]),
    read: readCpuProfile,
  };
}

export function heapSource({ inclusive }: { readonly inclusive: boolean }): NodeSource {
  return {
    kind: "heap",
    type: "memory",
    units: { memory: "B", ...(inclusive ? { "memory(inclusive)": "B" } : {}) },
    params: { inclusive },
    inclusive,
    omitted: new Set(),
    read: async (source, file, stacks) => ({
      started: 0,
      self: await readHeapProfile(source, file, stacks),
      samples: null,
    }),
  };
}

/** Set only if there are several. Processes are numbered by start time; thread 0 is the main thread. */
interface ThreadId {
  readonly process?: number;
  readonly thread?: number;
}

/** Rows by stack and, if there are several, by process and thread. */
export class V8Rows {
  readonly #source: NodeSource;
  readonly #directory: string;
  readonly #stacks = new StackTable<V8Frame>();
  readonly #traces = new Map<number, Trace>();
  readonly #byText = new Map<string, Trace>();
  readonly #groups = new Map<string, Group>();

  constructor(source: NodeSource, directory: string) {
    this.#source = source;
    this.#directory = directory;
  }

  /** Adds the profiles of one repetition, counted from 1. */
  async add(profiles: readonly ThreadProfile[], repetition: number): Promise<void> {
    const read: (ThreadProfile & { readonly amounts: Amounts })[] = [];
    for (const profile of profiles)
      read.push({ ...profile, amounts: await this.#source.read(profile.source, profile.file, this.#stacks) });
    read.sort((a, b) => a.amounts.started - b.amounts.started);
    const processes = [...new Set(read.map(({ process }) => process))];
    const threads = new Set(read.map(({ thread }) => thread));
    for (const { process, thread, amounts } of read) {
      const threadId = {
        ...(processes.length > 1 ? { process: processes.indexOf(process) + 1 } : {}),
        ...(threads.size > 1 ? { thread } : {}),
      };
      this.#addThread(amounts, threadId, repetition);
    }
  }

  subjects(): Subject[] {
    return [...this.#groups.values()].map((group) => group.subject());
  }

  #addThread({ self, samples }: Amounts, threadId: ThreadId, repetition: number): void {
    const selected = new Map([...self].filter(([stack]) => stack !== 0 && !this.#isOmitted(stack)));
    const totals = this.#source.inclusive ? totalsOf(selected, this.#stacks) : null;
    for (const stack of totals === null ? selected.keys() : totals.keys()) {
      const row = {
        amount: selected.get(stack) ?? 0,
        samples: samples && (samples.get(stack) ?? 0),
        inclusive: totals?.get(stack) ?? null,
      };
      this.#group(stack, threadId).add(row, repetition);
    }
  }

  #isOmitted(stack: number): boolean {
    const [inner] = this.#stacks.framesOf(stack);
    return inner !== undefined && inner.url === "" && this.#source.omitted.has(inner.function);
  }

  #group(stack: number, threadId: ThreadId): Group {
    const { number, json, uid } = this.#traceOf(stack);
    const key = JSON.stringify([number, threadId]);
    let group = this.#groups.get(key);
    if (group === undefined) {
      const { kind, type } = this.#source;
      const thread = Object.entries(threadId).map(([name, at]) => [name, JsonNumber.integer(at)]);
      this.#groups.set(
        key,
        (group = new Group(jsonObject({ ...Object.fromEntries(thread), subtype: kind, trace: json, type, uid }))),
      );
    }
    return group;
  }

  #traceOf(stack: number): Trace {
    let trace = this.#traces.get(stack);
    if (trace === undefined) {
      const frames = this.#stacks
        .framesOf(stack)
        .map((frame) => ({ ...frame, source: sourceOf(frame.url, this.#directory) }));
      const text = JSON.stringify(frames.map(({ function: name, source, line }) => [name, source, line]));
      trace = this.#byText.get(text) ?? {
        number: this.#byText.size,
        json: frames.map(frameJson),
        uid: uidOf(frames[0]!),
      };
      this.#byText.set(text, trace);
      this.#traces.set(stack, trace);
    }
    return trace;
  }
}

interface Trace {
  readonly number: number;
  readonly json: Json;
  readonly uid: Json;
}

interface SourceFrame {
  readonly function: string;
  /** Empty for a function of V8 itself. */
  readonly source: string;
  readonly line: number;
}

const anonymous = "(anonymous)";

function frameJson({ function: name, source, line }: SourceFrame): JsonObject {
  return jsonObject({
    function: name || anonymous,
    ...(source === "" ? {} : { source, line: JsonNumber.integer(line) }),
  });
}

/** Identifies a function by name, since lines change between commits; an anonymous one by its line. */
function uidOf({ function: name, source, line }: SourceFrame): Json {
  if (source === "") return jsonObject({ function: name || anonymous });
  return jsonObject({
    function: name || anonymous,
    source,
    ...(name === "" ? { line: JsonNumber.integer(line) } : {}),
  });
}

/**
 * Makes paths below the job's directory relative, so that sources have the same names in worktrees of other commits.
 */
function sourceOf(url: string, directory: string): string {
  const path = pathOf(url);
  if (!path.startsWith("/")) return path;
  const below = relative(directory, path);
  return below === "" || below.startsWith("..") ? path : below;
}

function pathOf(url: string): string {
  if (!url.startsWith("file:")) return url;
  try {
    return fileURLToPath(url);
  } catch {
    // Not a valid file URL: keep it unchanged.
    return url;
  }
}

/** Inclusive amounts by stack. A stack's number is greater than its caller's. */
function totalsOf(self: ReadonlyMap<number, number>, stacks: StackTable<V8Frame>): Map<number, number> {
  const totals = new Map(self);
  for (let stack = stacks.size - 1; stack > 0; stack--) {
    const total = totals.get(stack);
    const caller = stacks.callerOf(stack);
    if (total !== undefined && caller > 0) totals.set(caller, (totals.get(caller) ?? 0) + total);
  }
  return totals;
}

interface Row {
  readonly amount: number;
  readonly samples: number | null;
  readonly inclusive: number | null;
}

/** The rows of one subject. Stacks of one repetition with the same trace are merged. */
class Group {
  readonly #properties: JsonObject;
  readonly #rows: { order: number; amount: number; samples: number | null; inclusive: number | null }[] = [];

  constructor(properties: JsonObject) {
    this.#properties = properties;
  }

  add({ amount, samples, inclusive }: Row, order: number): void {
    const last = this.#rows.at(-1);
    if (last?.order !== order) this.#rows.push({ order, amount, samples, inclusive });
    else {
      last.amount += amount;
      last.samples = last.samples === null ? null : last.samples + (samples ?? 0);
      last.inclusive = last.inclusive === null ? null : last.inclusive + (inclusive ?? 0);
    }
  }

  subject(): Subject {
    const column = (name: "amount" | "samples" | "inclusive" | "order"): Subject["columns"] => {
      const values = this.#rows.map((row) => row[name]);
      const isInteger = values.every((value) => Number.isSafeInteger(value));
      return values.includes(null) ? [] : [{ name, type: isInteger ? "integer" : "float", values: values as number[] }];
    };
    return {
      properties: this.#properties,
      columns: [...column("amount"), ...column("samples"), ...column("inclusive"), ...column("order")],
    };
  }
}

import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { JsonNumber, jsonObject, type Json, type JsonObject } from "../../core/values/json.ts";
import { readCpuProfile } from "../../formats/stacks/v8/cpuprofile.ts";
import { readHeapProfile } from "../../formats/stacks/v8/heapprofile.ts";
import type { ProfileDescription, Subject } from "../../formats/profile/build-profile.ts";
import { StackTable } from "../../core/profiles/stack-table.ts";
import type { V8Frame } from "../../formats/stacks/v8/v8-profile.ts";

/** What one thread of the program wrote. */
export interface ThreadProfile {
  readonly process: number;
  readonly thread: number;
  readonly source: AsyncIterable<Uint8Array>;
  readonly file: string;
}

/** Amounts by stack; on a clock that all threads of a run share, or 0 where there is none. */
interface Amounts {
  readonly started: number;
  readonly self: ReadonlyMap<number, number>;
  readonly samples: ReadonlyMap<number, number> | null;
}

/** A kind of profile of V8. */
export interface NodeSource {
  readonly kind: "cpu" | "heap";
  readonly type: "time" | "memory";
  readonly units: ProfileDescription["units"];
  readonly params: Readonly<Record<string, Json>>;
  readonly inclusive: boolean;
  /** Functions that stand for no work. */
  readonly leftOut: ReadonlySet<string>;
  read(source: AsyncIterable<Uint8Array>, file: string, stacks: StackTable<V8Frame>): Promise<Amounts>;
}

export function cpuSource({ inclusive, idle }: { readonly inclusive: boolean; readonly idle: boolean }): NodeSource {
  return {
    kind: "cpu",
    type: "time",
    units: { time: "us", ...(inclusive ? { "time(inclusive)": "us" } : {}) },
    params: { inclusive, idle },
    inclusive,
    leftOut: new Set(idle ? [] : ["(idle)"]),
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
    leftOut: new Set(),
    read: async (source, file, stacks) => ({
      started: 0,
      self: await readHeapProfile(source, file, stacks),
      samples: null,
    }),
  };
}

/** Told only where there are several. Processes are counted in the order of their start; thread 0 is the first. */
interface WhichThread {
  readonly process?: number;
  readonly thread?: number;
}

/** Rows by stack; where several processes or threads have profiles, by these, too. */
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
      const place = {
        ...(processes.length > 1 ? { process: processes.indexOf(process) + 1 } : {}),
        ...(threads.size > 1 ? { thread } : {}),
      };
      this.#addThread(amounts, place, repetition);
    }
  }

  subjects(): Subject[] {
    return [...this.#groups.values()].map((group) => group.subject());
  }

  #addThread({ self, samples }: Amounts, place: WhichThread, repetition: number): void {
    const wanted = new Map([...self].filter(([stack]) => stack !== 0 && !this.#isLeftOut(stack)));
    const totals = this.#source.inclusive ? totalsOf(wanted, this.#stacks) : null;
    for (const stack of totals === null ? wanted.keys() : totals.keys()) {
      const row = {
        amount: wanted.get(stack) ?? 0,
        samples: samples && (samples.get(stack) ?? 0),
        inclusive: totals?.get(stack) ?? null,
      };
      this.#group(stack, place).add(row, repetition);
    }
  }

  #isLeftOut(stack: number): boolean {
    const [inner] = this.#stacks.framesOf(stack);
    return inner !== undefined && inner.url === "" && this.#source.leftOut.has(inner.function);
  }

  #group(stack: number, place: WhichThread): Group {
    const { number, json, uid } = this.#traceOf(stack);
    const key = JSON.stringify([number, place]);
    let group = this.#groups.get(key);
    if (group === undefined) {
      const { kind, type } = this.#source;
      const thread = Object.entries(place).map(([name, at]) => [name, JsonNumber.integer(at)]);
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

interface Place {
  readonly function: string;
  /** Empty: a function of V8 itself. */
  readonly source: string;
  readonly line: number;
}

const nameless = "(anonymous)";

function frameJson({ function: name, source, line }: Place): JsonObject {
  return jsonObject({
    function: name || nameless,
    ...(source === "" ? {} : { source, line: JsonNumber.integer(line) }),
  });
}

/** Lines move from version to version, so a function goes by its name; one without a name has nothing else. */
function uidOf(place: Place): Json {
  const { function: name, source, line } = place;
  if (source === "") return jsonObject({ function: name || nameless });
  return jsonObject({ function: name || nameless, source, ...(name === "" ? { line: JsonNumber.integer(line) } : {}) });
}

/**
 * Paths below the directory of the job are relative, so that the same place has the same name in trees of other
 * versions.
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
    // What no file can have for a name stays as it is written.
    return url;
  }
}

/** The amounts of stacks with those of all they call. A stack comes after the one that called it. */
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

/** The rows of one subject. Stacks of one repetition that differ only in what is not shown are one row. */
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
      const isWhole = values.every((value) => Number.isSafeInteger(value));
      return values.includes(null) ? [] : [{ name, type: isWhole ? "integer" : "float", values: values as number[] }];
    };
    return {
      properties: this.#properties,
      columns: [...column("amount"), ...column("samples"), ...column("inclusive"), ...column("order")],
    };
  }
}

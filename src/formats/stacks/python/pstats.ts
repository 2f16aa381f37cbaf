import { isFailure } from "../../../core/failures/index.ts";
import type { StackProfile } from "../../../core/profiles/index.ts";
import { CallTree } from "../hpc/call-tree.ts";
import { ProfileDocument } from "../profiler-document.ts";
import { MarshalDict, MarshalReader, type MarshalValue } from "./marshal.ts";

const format = "Python";
/** Longer paths and names are not of functions; all of them together have to fit into memory. */
const [longestName, longestNames] = [10_000, 2 ** 27];

interface PythonFunction {
  readonly name: string;
  /** Empty: built into Python. */
  readonly source: string;
  readonly line: number;
}

/** Calls, and own seconds in them; NaN: not measured. */
interface Cost {
  readonly calls: number;
  readonly own: number;
}

interface Entry extends Cost {
  readonly callers: ReadonlyMap<string, Cost>;
}

/** Whether a file starts like statistics of cProfile: a dict with functions (file, line, name) as keys. */
export function isPstats(head: Uint8Array): boolean {
  if (head[0] !== 0x7b && head[0] !== 0xfb) return false;
  const reader = new MarshalReader(head, "", format);
  try {
    reader.beginDict();
    const [key, value] = reader.pair() ?? [];
    new Statistics(reader).add(key ?? null, value ?? null);
    return true;
  } catch (error) {
    if (isFailure(error)) return false;
    throw error;
  }
}

/**
 * Reads statistics of Python's cProfile and profile (`dump_stats`, `python -m cProfile -o`): own time in microseconds
 * and calls. They name the direct callers of a function. A stack goes outwards while there is a single caller, so it is
 * certain; calls farther out are unknown. Fails with `bad-stack-profile`, `no-stacks`.
 */
export function readPstats(bytes: Uint8Array, file: string): StackProfile {
  const reader = new MarshalReader(bytes, file, format);
  const statistics = new Statistics(reader);
  let edges = 0;
  reader.beginDict();
  for (let pair = reader.pair(); pair !== undefined; pair = reader.pair()) {
    edges += statistics.add(...pair);
    // Dicts that are shared by references would take quadratic time.
    if (edges > bytes.length) throw reader.bad("it has more callers than bytes");
  }
  if (!reader.isAtEnd) throw reader.bad("other data follows the statistics");
  const tree = new CallTree(new ProfileDocument(file, format), [
    { name: "time", unit: "microseconds", isInclusive: false },
    { name: "calls", unit: "count", isInclusive: false },
  ]);
  new StackBuilder(tree, statistics).addAll();
  return tree.profile(file, format);
}

/** The validated functions and costs of the statistics. */
class Statistics {
  readonly functions = new Map<string, PythonFunction>();
  readonly entries = new Map<string, Entry>();
  readonly #reader: MarshalReader;
  readonly #keys = new Map<MarshalValue, string>();
  #names = 0;

  constructor(reader: MarshalReader) {
    this.#reader = reader;
  }

  /** Adds a pair of the dict; returns the number of its callers. */
  add(key: MarshalValue, value: MarshalValue): number {
    if (!Array.isArray(value) || value.length !== 5) throw this.#reader.bad("a function has not five values");
    const [, calls, own, , callers] = value as readonly MarshalValue[];
    if (!(callers instanceof MarshalDict)) throw this.#reader.bad("the callers of a function are not a dict");
    const costs = new Map(callers.pairs.map(([caller, cost]) => [this.#keyOf(caller), this.#callerCost(cost)]));
    this.entries.set(this.#keyOf(key), {
      calls: this.#number(calls!, 0),
      own: this.#number(own!, Number.NEGATIVE_INFINITY),
      callers: costs,
    });
    return costs.size;
  }

  /** `(calls, primitive calls, own, cumulative)`; of the module profile and Python 2.4, the calls. */
  #callerCost(value: MarshalValue): Cost {
    if (!Array.isArray(value)) return { calls: this.#number(value, 0), own: Number.NaN };
    const [calls, , own] = value as readonly MarshalValue[];
    return {
      calls: this.#number(calls ?? null, 0),
      own: this.#number(own ?? null, Number.NEGATIVE_INFINITY),
    };
  }

  #number(value: MarshalValue, least: number): number {
    if (typeof value === "number" && Number.isFinite(value) && value >= least) return value;
    throw this.#reader.bad("the calls or times of a function are no numbers");
  }

  /** Functions are mostly references to the same value. */
  #keyOf(value: MarshalValue): string {
    const known = this.#keys.get(value) ?? this.#validKey(value);
    this.#keys.set(value, known);
    return known;
  }

  #validKey(value: MarshalValue): string {
    const [path, line, name] = Array.isArray(value) ? (value as readonly MarshalValue[]) : [];
    if (typeof path !== "string" || typeof line !== "number" || typeof name !== "string")
      throw this.#reader.bad("a function is not (file, line, name)");
    if (path.length > longestName || name.length > longestName) throw this.#reader.bad("a name is too long");
    const key = `${path}\0${line}\0${name}`;
    if (this.functions.has(key)) return key;
    if ((this.#names += key.length) > longestNames) throw this.#reader.bad("its names are too long");
    // Functions written in C have the path `~`, or none.
    const source = path === "~" ? "" : path;
    this.functions.set(key, { name, source, line });
    return key;
  }
}

/** Adds the costs of functions to a call tree, by the part of their stacks that is certain. */
class StackBuilder {
  readonly #tree: CallTree;
  readonly #statistics: Statistics;
  readonly #stacks = new Map<string, number>();

  constructor(tree: CallTree, statistics: Statistics) {
    this.#tree = tree;
    this.#statistics = statistics;
  }

  addAll(): void {
    for (const [key, entry] of this.#statistics.entries) this.#addEntry(key, entry);
  }

  #addEntry(key: string, { calls, own, callers }: Entry): void {
    let rest: Cost = { calls, own };
    let measured = 0;
    for (const [caller, cost] of callers) {
      // Where only calls are counted, a single caller has all of the time.
      const ownByCaller = Number.isNaN(cost.own) && callers.size === 1 ? own : cost.own;
      if (Number.isNaN(ownByCaller)) continue;
      measured++;
      this.#add(this.#called(this.#stackOf(caller), key), ownByCaller, cost.calls);
      rest = { calls: rest.calls - cost.calls, own: rest.own - ownByCaller };
    }
    if (measured === 0) this.#add(this.#called(0, key), own, calls);
    else if (rest.calls > 0 || microseconds(rest.own) > 0)
      this.#add(this.#called(0, key), Math.max(0, rest.own), Math.max(0, rest.calls));
  }

  #add(stack: number, seconds: number, calls: number): void {
    this.#tree.add(stack, [microseconds(seconds), calls]);
  }

  #stackOf(key: string): number {
    const chain = new Set<string>();
    let outer: string | undefined = key;
    while (outer !== undefined && !this.#stacks.has(outer) && !chain.has(outer)) {
      chain.add(outer);
      outer = this.#onlyCaller(outer);
    }
    let stack = outer === undefined ? 0 : (this.#stacks.get(outer) ?? 0);
    for (const each of [...chain].toReversed()) {
      stack = this.#called(stack, each);
      this.#stacks.set(each, stack);
    }
    return stack;
  }

  /** The caller of all calls of a function; undefined if there are several, or calls from elsewhere. */
  #onlyCaller(key: string): string | undefined {
    const entry = this.#statistics.entries.get(key);
    if (entry?.callers.size !== 1) return undefined;
    const [[caller, cost]] = [...entry.callers] as [[string, Cost]];
    return cost.calls >= entry.calls ? caller : undefined;
  }

  #called(caller: number, key: string): number {
    const { name, source, line } = this.#statistics.functions.get(key)!;
    if (source === "") return this.#tree.called(caller, name);
    return this.#tree.called(caller, name, { source, ...(Number.isSafeInteger(line) && line > 0 ? { line } : {}) });
  }
}

/** Rounded to nanoseconds, the resolution of the clock. */
function microseconds(seconds: number): number {
  return Math.round(seconds * 1e9) / 1e3;
}

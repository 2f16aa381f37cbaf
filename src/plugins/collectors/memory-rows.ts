import { JsonNumber, jsonObject, type Json, type JsonObject } from "../../core/json.ts";
import type { Allocation, AllocationLog, LoggedStack } from "../../formats/allocation-log.ts";
import type { Subject } from "../../formats/profile-of.ts";
import { unreachable, type Frame } from "./memory-symbols.ts";

/** Which allocations become rows, and how. */
export interface RowRules {
  /** Seconds of a snapshot. */
  readonly sampling: number;
  /** Also allocations and frames without source, and the allocators' own frames. */
  readonly all: boolean;
  /** Functions and sources; what was allocated at such a place is left out. */
  readonly noFunctions: readonly string[];
  readonly noSources: readonly string[];
}

const allocators =
  /^(?:malloc|calloc|realloc|reallocarray|memalign|posix_memalign|aligned_alloc|p?valloc|free|operator (?:new|delete)\b.*)$/;

/** Rows in the layout of Perun's memory collector: uid is the inner frame with a source, the trace goes outwards from there, snapshots are of equal length. */
export function subjectsOf(logs: readonly AllocationLog[], frames: ReadonlyMap<LoggedStack, readonly Frame[]>, rules: RowRules): Subject[] {
  const start = logs.reduce((least, { started }) => (started < least ? started : least), logs[0]?.started ?? 0n);
  const rows = logs.flatMap((log, process) => log.allocations.map((allocation) => ({ allocation, process })));
  if (logs.length > 1) rows.sort((a, b) => Number(a.allocation.nanoseconds - b.allocation.nanoseconds));
  const traces = new Traces(frames, rules);
  const groups = new Map<string, Group>();
  for (const [at, { allocation, process }] of rows.entries()) {
    const trace = traces.of(allocation.stack);
    if (trace === null) continue;
    const snapshot = Math.floor(Number(allocation.nanoseconds - start) / 1e9 / rules.sampling);
    const key = `${trace.id} ${allocation.call} ${snapshot} ${process}`;
    let group = groups.get(key);
    if (group === undefined)
      groups.set(key, (group = new Group(propertiesOf(trace, allocation, snapshot, logs.length > 1 ? process : null, rules))));
    group.add(allocation, at + 1);
  }
  return [...groups.values()].map((group) => group.subject());
}

function propertiesOf(
  { json, uid }: Trace,
  { call }: Allocation,
  snapshot: number,
  process: number | null,
  { sampling }: RowRules,
): JsonObject {
  const time = String(Number(((snapshot + 1) * sampling).toPrecision(12)));
  return jsonObject({
    ...(process === null ? {} : { process: JsonNumber.integer(process + 1) }),
    snapshot: JsonNumber.integer(snapshot),
    subtype: call,
    time,
    trace: json,
    type: "memory",
    uid,
  });
}

interface Trace {
  readonly id: number;
  readonly json: Json;
  readonly uid: Json;
}

/** What stacks become; null: it is left out. Equal traces are one, whatever the addresses. */
class Traces {
  readonly #frames: ReadonlyMap<LoggedStack, readonly Frame[]>;
  readonly #rules: RowRules;
  readonly #byStack = new Map<LoggedStack, Trace | null>();
  readonly #byText = new Map<string, Trace>();

  constructor(frames: ReadonlyMap<LoggedStack, readonly Frame[]>, rules: RowRules) {
    this.#frames = frames;
    this.#rules = rules;
  }

  of(stack: LoggedStack): Trace | null {
    let trace = this.#byStack.get(stack);
    if (trace === undefined) this.#byStack.set(stack, (trace = this.#made(stack)));
    return trace;
  }

  #made(stack: LoggedStack): Trace | null {
    const { all } = this.#rules;
    const found = this.#frames.get(stack) ?? [];
    const frames = all ? found : found.filter((frame) => frame.source !== unreachable && !allocators.test(frame.function));
    const place = frames.find((frame) => frame.source !== unreachable) ?? frames[0];
    if (place === undefined || this.#isUnwanted(place)) return null;
    const text = JSON.stringify(frames);
    const trace = this.#byText.get(text) ?? { id: this.#byText.size, json: frames.map(frameJson), uid: frameJson(place) };
    this.#byText.set(text, trace);
    return trace;
  }

  /** C++ functions go by their prototype or by their name alone; sources by their path or its last part. */
  #isUnwanted(place: Frame): boolean {
    const { noFunctions, noSources } = this.#rules;
    const isNamed = (names: readonly string[], ...spellings: string[]): boolean => spellings.some((spelling) => names.includes(spelling));
    const file = place.source.slice(place.source.lastIndexOf("/") + 1);
    return isNamed(noFunctions, place.function, place.function.replace(/\(.*$/s, "")) || isNamed(noSources, place.source, file);
  }
}

function frameJson(frame: Frame): JsonObject {
  return jsonObject({ function: frame.function, source: frame.source, line: JsonNumber.integer(frame.line) });
}

/** The rows of one subject. */
class Group {
  readonly #properties: JsonObject;
  readonly #amounts: number[] = [];
  readonly #addresses: number[] = [];
  readonly #orders: number[] = [];
  readonly #old: number[] = [];

  constructor(properties: JsonObject) {
    this.#properties = properties;
  }

  add({ call, amount, address, oldAddress }: Allocation, order: number): void {
    this.#amounts.push(amount);
    this.#addresses.push(address);
    this.#orders.push(order);
    if (call === "realloc" || call === "reallocarray") this.#old.push(oldAddress);
  }

  subject(): Subject {
    const column = (name: string, values: readonly number[]): Subject["columns"][number] => ({ name, type: "integer", values });
    const columns = [column("amount", this.#amounts), column("address", this.#addresses), column("allocation_order", this.#orders)];
    return { properties: this.#properties, columns: this.#old.length > 0 ? [...columns, column("old-address", this.#old)] : columns };
  }
}

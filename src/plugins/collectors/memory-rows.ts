import { JsonNumber, jsonObject, type JsonObject } from "../../core/json.ts";
import type { Allocation, AllocationLog, LoggedStack } from "../../formats/allocation-log.ts";
import { Traces, type Frame, type Trace, type TraceRules } from "../../formats/call-trace.ts";
import type { Subject } from "../../formats/profile-of.ts";

/** Which allocations become rows, and how. */
export interface RowRules extends TraceRules {
  /** Seconds of a snapshot. */
  readonly sampling: number;
}

/** Rows in the layout of Perun's memory collector: uid is the inner frame with a source, the trace goes outwards from there, snapshots are of equal length. */
export function subjectsOf(logs: readonly AllocationLog[], frames: ReadonlyMap<LoggedStack, readonly Frame[]>, rules: RowRules): Subject[] {
  const start = logs.reduce((least, { started }) => (started < least ? started : least), logs[0]?.started ?? 0n);
  const rows = logs.flatMap((log, process) => log.allocations.map((allocation) => ({ allocation, process })));
  if (logs.length > 1) rows.sort((a, b) => Number(a.allocation.nanoseconds - b.allocation.nanoseconds));
  const traces = tracesOf(frames, rules);
  const groups = new Map<string, Group>();
  for (const [at, { allocation, process }] of rows.entries()) {
    const trace = traces.get(allocation.stack) ?? null;
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

function tracesOf(frames: ReadonlyMap<LoggedStack, readonly Frame[]>, rules: RowRules): Map<LoggedStack, Trace | null> {
  const traces = new Traces(rules);
  return new Map([...frames].map(([stack, found]) => [stack, traces.of(found)]));
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

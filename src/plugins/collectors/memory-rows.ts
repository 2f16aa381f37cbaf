import { JsonNumber, jsonObject, type JsonObject } from "../../core/values/index.ts";
import {
  allocationCalls,
  type AllocationLog,
  type LoggedStack,
  Traces,
  type Frame,
  type Trace,
  type TraceRules,
} from "../../formats/traces/index.ts";
import type { Subject } from "../../formats/profile/index.ts";

/** Selection and snapshot length of allocation rows. */
export interface RowRules extends TraceRules {
  /** Length of a snapshot in seconds. */
  readonly sampling: number;
}

/**
 * Rows in the format of Perun's memory collector: uid is the innermost frame with a source, the trace continues
 * outwards from there, snapshots have equal length.
 */
export function subjectsOf(
  logs: readonly AllocationLog[],
  frames: ReadonlyMap<LoggedStack, readonly Frame[]>,
  rules: RowRules,
): Subject[] {
  const groups = new Groups(logs, frames, rules);
  let order = 0;
  for (const [process, row] of inOrder(logs)) groups.add(process, row, ++order);
  return groups.subjects();
}

/** Process and row of all allocations in order of time. */
function* inOrder(logs: readonly AllocationLog[]): Generator<readonly [process: number, row: number]> {
  if (logs.length === 1) {
    for (let row = 0; row < logs[0]!.allocations.length; row++) yield [0, row];
    return;
  }
  const rows = logs.flatMap(({ allocations }, process) =>
    Array.from({ length: allocations.length }, (_, row) => ({ process, row })),
  );
  const offsets = offsetsOf(logs);
  const time = ({ process, row }: (typeof rows)[number]): number =>
    offsets[process]! + logs[process]!.allocations.nanoseconds[row]!;
  for (const { process, row } of rows.sort((a, b) => time(a) - time(b))) yield [process, row];
}

/** Start of each process in nanoseconds after the first. */
function offsetsOf(logs: readonly AllocationLog[]): number[] {
  const first = logs.reduce((least, { started }) => (started < least ? started : least), logs[0]?.started ?? 0n);
  return logs.map(({ started }) => Number(started - first));
}

/** Rows grouped by common properties. */
class Groups {
  readonly #logs: readonly AllocationLog[];
  readonly #rules: RowRules;
  readonly #offsets: readonly number[];
  /** The trace of each stack of each process; null: omitted. */
  readonly #traces: readonly (readonly (Trace | null)[])[];
  readonly #all = new Map<string, Group>();
  /** Latest group by process, trace and call: rows of one snapshot are mostly adjacent. */
  readonly #latest = new Map<number, Group>();

  constructor(logs: readonly AllocationLog[], frames: ReadonlyMap<LoggedStack, readonly Frame[]>, rules: RowRules) {
    const traces = new Traces(rules);
    this.#logs = logs;
    this.#rules = rules;
    this.#offsets = offsetsOf(logs);
    this.#traces = logs.map(({ stacks }) => stacks.map((stack) => traces.of(frames.get(stack) ?? [])));
  }

  add(process: number, row: number, order: number): void {
    const { allocations } = this.#logs[process]!;
    const trace = this.#traces[process]![allocations.stacks[row]!] ?? null;
    if (trace === null) return;
    const snapshot = Math.floor((this.#offsets[process]! + allocations.nanoseconds[row]!) / 1e9 / this.#rules.sampling);
    this.#groupOf(process, trace, allocations.calls[row]!, snapshot).add(
      allocations.amounts[row]!,
      allocations.addresses[row]!,
      allocations.oldAddresses[row]!,
      order,
    );
  }

  subjects(): Subject[] {
    return [...this.#all.values()].map((group) => group.subject());
  }

  #groupOf(process: number, trace: Trace, call: number, snapshot: number): Group {
    const slot = (trace.id * this.#logs.length + process) * allocationCalls.length + call;
    const latest = this.#latest.get(slot);
    if (latest?.snapshot === snapshot) return latest;
    const key = `${slot} ${snapshot}`;
    const group =
      this.#all.get(key) ?? new Group(snapshot, this.#properties(process, trace, call, snapshot), hasOldAddress(call));
    this.#all.set(key, group);
    this.#latest.set(slot, group);
    return group;
  }

  #properties(process: number, { json, uid }: Trace, call: number, snapshot: number): JsonObject {
    return jsonObject({
      ...(this.#logs.length > 1 ? { process: JsonNumber.integer(process + 1) } : {}),
      snapshot: JsonNumber.integer(snapshot),
      subtype: allocationCalls[call]!,
      time: String(Number(((snapshot + 1) * this.#rules.sampling).toPrecision(12))),
      trace: json,
      type: "memory",
      uid,
    });
  }
}

function hasOldAddress(call: number): boolean {
  const name = allocationCalls[call];
  return name === "realloc" || name === "reallocarray";
}

/** The rows of one subject. */
class Group {
  readonly snapshot: number;
  readonly #properties: JsonObject;
  readonly #hasOldAddress: boolean;
  readonly #amounts: number[] = [];
  readonly #addresses: number[] = [];
  readonly #orders: number[] = [];
  readonly #old: number[] = [];

  constructor(snapshot: number, properties: JsonObject, hasOldAddress: boolean) {
    this.snapshot = snapshot;
    this.#properties = properties;
    this.#hasOldAddress = hasOldAddress;
  }

  add(amount: number, address: number, oldAddress: number, order: number): void {
    this.#amounts.push(amount);
    this.#addresses.push(address);
    this.#orders.push(order);
    if (this.#hasOldAddress) this.#old.push(oldAddress);
  }

  subject(): Subject {
    const column = (name: string, values: readonly number[]): Subject["columns"][number] => ({
      name,
      type: "integer",
      values,
    });
    const columns = [
      column("amount", this.#amounts),
      column("address", this.#addresses),
      column("allocation_order", this.#orders),
    ];
    return {
      properties: this.#properties,
      columns: this.#hasOldAddress ? [...columns, column("old-address", this.#old)] : columns,
    };
  }
}

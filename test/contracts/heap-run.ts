import { jsonObject, JsonNumber } from "../../src/core/values/json.ts";
import type { Run } from "../../src/core/profiles/run.ts";
import { profileOf } from "../../src/formats/profile/build-profile.ts";

/**
 * A call for memory: what was called, the function, how many bytes, where, in which snapshot, and where it was before.
 */
export interface HeapCall {
  readonly call: "malloc" | "calloc" | "realloc" | "free";
  readonly by?: string;
  readonly bytes?: number;
  readonly at: number;
  readonly snapshot?: number;
  readonly old?: number;
}

/** The profile of a program that made these calls, in this order, as the collector memory writes it. */
export function heapRunOf(calls: readonly HeapCall[]): Run {
  const subjects = calls.map(({ call, by = "main", bytes = 0, at, snapshot = 0, old }, order) => {
    const frame = (name: string, line: number) =>
      jsonObject({ function: name, source: "a.c", line: JsonNumber.integer(line) });
    const trace = by === "main" ? [frame("main", 9)] : [frame(by, 4), frame("main", 9)];
    const column = (name: string, value: number) => ({ name, type: "integer" as const, values: [value] });
    const shared = {
      snapshot: JsonNumber.integer(snapshot),
      subtype: call,
      time: "0.001",
      trace,
      type: "memory",
      uid: trace[0]!,
    };
    const columns = [column("amount", bytes), column("address", at), column("allocation_order", order + 1)];
    return {
      properties: jsonObject(shared),
      columns: old === undefined ? columns : [...columns, column("old-address", old)],
    };
  });
  const collector = { name: "memory", params: jsonObject({}) };
  return profileOf({ type: "memory", cmd: "./a", workload: "", units: { memory: "B" }, collector, subjects });
}

/** So many blocks of 64 bytes, every second of which is given back. */
export function heapRun(rows = 12): Run {
  const calls = Array.from({ length: rows }, (_, i): HeapCall =>
    i % 3 === 2
      ? { call: "free", at: 4096 + (i - 2) * 64, snapshot: i }
      : { call: "malloc", by: i % 2 === 0 ? "grow" : "main", bytes: 64, at: 4096 + i * 64, snapshot: i },
  );
  return heapRunOf(calls);
}

import { JsonNumber, jsonObject, type JsonObject } from "../../../core/values/index.ts";
import { endings, type ThreadCalls } from "../../../formats/traces/index.ts";
import type { Subject } from "../../../formats/profile/index.ts";
import type { CalledFunction, WatchedProcess } from "./traced-process.ts";

/** One call of a process. */
interface Call {
  readonly called: CalledFunction;
  readonly calls: ThreadCalls;
  /** Its index in `calls`. */
  readonly at: number;
  /** Number of the call among those of the function in its process, from 0. */
  readonly order: number;
}

/** The calls of a process in order of entry. */
function* callsOf({ functions, threads }: WatchedProcess): Generator<Call> {
  const all = threads.flatMap((calls) => calls.starts.map((start, at) => ({ calls, at, start })));
  if (threads.length > 1) all.sort((a, b) => a.start - b.start);
  const counts = new Map<number, number>();
  for (const { calls, at } of all) {
    const id = calls.functions[at]!;
    const count = counts.get(id) ?? 0;
    counts.set(id, count + 1);
    yield { called: functions.get(id)!, calls, at, order: Math.max(count, calls.numbers[at]!) };
  }
}

/** Rows grouped by a key; rows of a group share their properties. */
class CallGroups {
  readonly #groups = new Map<string, { properties: JsonObject; cells: number[][] }>();
  readonly #columns: readonly { readonly name: string; readonly type: "integer" | "float" }[];

  constructor(columns: readonly { readonly name: string; readonly type: "integer" | "float" }[]) {
    this.#columns = columns;
  }

  /** A cell of NaN omits the column for this group. */
  add(key: string, cells: readonly number[], properties: () => JsonObject): void {
    let group = this.#groups.get(key);
    if (group === undefined) this.#groups.set(key, (group = { properties: properties(), cells: cells.map(() => []) }));
    for (const [column, cell] of cells.entries()) group.cells[column]!.push(cell);
  }

  subjects(): Subject[] {
    return [...this.#groups.values()].map(({ properties, cells }) => ({
      properties,
      columns: this.#columns
        .map((column, at) => ({ ...column, values: cells[at]! }))
        .filter(({ values }) => !Number.isNaN(values[0])),
    }));
  }
}

const traceColumns = [
  { name: "amount", type: "float" },
  { name: "call-order", type: "integer" },
  { name: "exclusive", type: "float" },
  { name: "structure-unit-size", type: "integer" },
  { name: "timestamp", type: "float" },
] as const;

/** Rows in the format of Perun's collector `trace`: one per call, in microseconds. */
export function traceSubjects(processes: readonly WatchedProcess[], workload: string, isMangled: boolean): Subject[] {
  const groups = new CallGroups(traceColumns);
  for (const [index, process] of processes.entries())
    for (const { called, calls, at, order } of callsOf(process)) {
      const uid = isMangled ? called.name : called.prototype;
      const size = calls.sizes[at]!;
      const ending = calls.endings[at]!;
      const key = [index, calls.thread, ending, Number.isNaN(size), called.file, uid].join(" ");
      groups.add(
        key,
        [calls.durations[at]! / 1000, order, calls.exclusives[at]! / 1000, size, calls.starts[at]! / 1000],
        () =>
          jsonObject({
            ...(ending === 0 ? {} : { ending: endings[ending]! }),
            location: called.file,
            ...(processes.length > 1 ? { process: JsonNumber.integer(index + 1) } : {}),
            subtype: "time delta",
            thread: JsonNumber.integer(calls.thread),
            type: "mixed",
            uid,
            workload,
          }),
      );
    }
  return groups.subjects();
}

const complexityColumns = [
  { name: "amount", type: "float" },
  { name: "structure-unit-size", type: "integer" },
] as const;

/** Rows in the format of Perun's collector `complexity`: one per returned call, in microseconds. */
export function complexitySubjects(processes: readonly WatchedProcess[]): Subject[] {
  const groups = new CallGroups(complexityColumns);
  for (const process of processes)
    for (const { called, calls, at } of callsOf(process)) {
      if (calls.endings[at] !== 0) continue;
      const size = calls.sizes[at]!;
      const uid = called.prototype;
      groups.add(`${Number.isNaN(size)} ${uid}`, [calls.durations[at]! / 1000, size], () =>
        jsonObject({ subtype: "time delta", type: "mixed", uid }),
      );
    }
  return groups.subjects();
}

import { jsonObject, JsonNumber, type JsonObject } from "../../../core/values/json.ts";
import type { Run } from "../../../core/profiles/run.ts";
import { isAllocator, sourceBelow, Traces, type Trace, type TraceRules } from "../../traces/call-trace.ts";
import type { HeapReport, HeapSite } from "./heap-report.ts";
import { profileOf, type Subject } from "../../profile/build-profile.ts";

export interface HeapRules extends TraceRules {
  /** Sources below it are told relative to it. */
  readonly directory: string;
}

/** The run of a report that was read from a file. */
export function heapRun(report: HeapReport, rules: HeapRules): Run {
  const params = jsonObject({ engine: report.tool, ...Object.fromEntries(report.params), all: rules.all });
  const subjects = heapSubjects([report], rules);
  const collector = { name: "memory", params };
  return profileOf({ type: "memory", cmd: report.cmd, workload: "", units: { memory: "B" }, collector, subjects });
}

/**
 * Rows in the layout of the collector `memory`, one for each place (and snapshot): sites that look the same are one. Of
 * several reports each is a process, in order of their ids.
 */
export function heapSubjects(reports: readonly HeapReport[], rules: HeapRules): Subject[] {
  const traces = new Traces(rules);
  const rows = new Map<string, HeapRow>();
  for (const [process, { sites }] of reports.toSorted((a, b) => (a.process ?? 0) - (b.process ?? 0)).entries()) {
    for (const site of sites) {
      const trace = traces.of(
        site.frames.map((frame) => ({ ...frame, source: sourceBelow(rules.directory, frame.source) })),
      );
      if (trace === null) continue;
      const key = `${trace.id} ${process} ${site.snapshot?.number ?? ""} ${subtypeOf(site)}`;
      let row = rows.get(key);
      if (row === undefined)
        rows.set(key, (row = new HeapRow(propertiesOf(trace, site, reports.length > 1 ? process : null))));
      row.add(site.amounts);
    }
  }
  return [...rows.values()].map((row) => row.subject());
}

function propertiesOf(trace: Trace, { snapshot, ...site }: HeapSite, process: number | null): JsonObject {
  return jsonObject({
    ...(process === null ? {} : { process: JsonNumber.integer(process + 1) }),
    ...(snapshot === undefined ? {} : { snapshot: JsonNumber.integer(snapshot.number) }),
    subtype: subtypeOf(site),
    ...(snapshot === undefined ? {} : { time: snapshot.time }),
    trace: trace.json,
    type: "memory",
    uid: trace.uid,
  });
}

/** What was called, where the frames tell. */
function subtypeOf({ frames, subtype }: HeapSite): string {
  const [inner] = frames;
  return inner !== undefined && isAllocator(inner.function) ? inner.function : subtype;
}

class HeapRow {
  readonly #properties: JsonObject;
  readonly #sums = new Map<string, number>();

  constructor(properties: JsonObject) {
    this.#properties = properties;
  }

  add(amounts: ReadonlyMap<string, number>): void {
    for (const [name, amount] of amounts) this.#sums.set(name, (this.#sums.get(name) ?? 0) + amount);
  }

  subject(): Subject {
    const columns = [...this.#sums].map(([name, value]) => ({ name, type: "integer" as const, values: [value] }));
    return { properties: this.#properties, columns };
  }
}

import {
  type Run,
  StackSamples,
  type StackFrame,
  type StackProfile,
  StackTable,
} from "../../../core/profiles/index.ts";
import { jsonObject, JsonNumber, type JsonObject } from "../../../core/values/index.ts";
import { profileOf, type Subject } from "../../profile/index.ts";
import {
  isAllocator,
  relativeSource,
  Traces,
  type Trace,
  type TraceRules,
  unreachable,
  type Frame,
} from "../../traces/index.ts";
import type { HeapReport, HeapSite } from "./heap-report.ts";

/** Columns of counts or times, not bytes. */
const counts = new Set(["blocks", "temporary", "reads", "writes", "lifetime"]);

/**
 * Converts a report to stacks. Only the snapshot with the most bytes is used, because snapshots do not add up. Totals
 * of the heap are omitted if locations are known.
 */
export function heapStacks(report: HeapReport): StackProfile {
  const isSelected = atPeak(report.sites);
  const names = namesOf(report.sites, isSelected);
  const stacks = new StackTable<StackFrame>();
  const numbers = new Map<Frame, number>();
  const numberOf = (frame: Frame): number => {
    const number = numbers.get(frame) ?? frameNumber(stacks, frame);
    numbers.set(frame, number);
    return number;
  };
  const samples = new StackSamples(names.length);
  for (const site of report.sites) {
    if (!isSelected(site)) continue;
    const { frames, amounts } = site;
    samples.add(
      frames.reduceRight((caller, frame) => stacks.called(caller, numberOf(frame)), 0),
      names.map((name) => amounts.get(name) ?? 0),
    );
  }
  const types = names.map((name) => ({
    name: name === "amount" ? "space" : name,
    unit: counts.has(name) ? "count" : "bytes",
  }));
  return { stacks, types, main: 0, samples, facts: report.cmd === "" ? {} : { command: report.cmd } };
}

function namesOf(sites: Iterable<HeapSite>, isSelected: (site: HeapSite) => boolean): string[] {
  for (const site of sites) if (isSelected(site)) return [...site.amounts.keys()];
  return ["amount"];
}

/** A predicate that selects the sites of the peak snapshot, or of the complete run. */
function atPeak(sites: Iterable<HeapSite>): (site: HeapSite) => boolean {
  let hasLocations = false;
  for (const { subtype } of sites) hasLocations ||= subtype !== "total";
  const isRelevant = ({ subtype }: HeapSite): boolean => !hasLocations || subtype !== "total";
  const sums = new Map<number, number>();
  for (const site of sites)
    if (isRelevant(site) && site.snapshot !== undefined) {
      const { number } = site.snapshot;
      sums.set(number, (sums.get(number) ?? 0) + (site.amounts.get("amount") ?? 0));
    }
  const [peak] = [...sums].reduce((a, b) => (b[1] > a[1] ? b : a), [-1, -1]);
  return (site) => isRelevant(site) && (site.snapshot === undefined || site.snapshot.number === peak);
}

function frameNumber(stacks: StackTable<StackFrame>, { function: name, source, line }: Frame): number {
  const isKnown = source !== unreachable;
  return stacks.frame(`${name}\n${source}\n${line}`, () => ({
    function: name === "?" ? "" : name,
    ...(isKnown ? { source } : {}),
    ...(isKnown && line > 0 ? { line } : {}),
  }));
}

export interface HeapRules extends TraceRules {
  /** Sources below it become relative. */
  readonly directory: string;
}

/** Converts a report to a run. */
export function heapRun(report: HeapReport, rules: HeapRules): Run {
  const params = jsonObject({ engine: report.tool, ...Object.fromEntries(report.params), all: rules.all });
  const subjects = heapSubjects([report], rules);
  const collector = { name: "memory", params };
  return profileOf({ type: "memory", cmd: report.cmd, workload: "", units: { memory: "B" }, collector, subjects });
}

/**
 * Rows in the layout of the collector `memory`, one per location and snapshot; equal sites are merged. Several reports
 * are numbered as processes in order of their ids.
 */
export function heapSubjects(reports: readonly HeapReport[], rules: HeapRules): Subject[] {
  const traces = new Traces(rules);
  const rows = new Map<string, HeapRow>();
  for (const [process, { sites }] of reports.toSorted((a, b) => (a.process ?? 0) - (b.process ?? 0)).entries()) {
    for (const site of sites) {
      const trace = traces.of(
        site.frames.map((frame) => ({ ...frame, source: relativeSource(rules.directory, frame.source) })),
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

/** The called allocator, if the frames include it. */
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

import { StackSamples, type StackFrame, type StackProfile } from "../../core/stack-profile.ts";
import { StackTable } from "../../core/stack-table.ts";
import { unreachable, type Frame } from "../traces/call-trace.ts";
import type { HeapReport, HeapSite } from "./heap-report.ts";

/** Columns whose numbers are blocks or moments, not bytes. */
const counts = new Set(["blocks", "temporary", "reads", "writes", "lifetime"]);

/**
 * What a tool says of a program's memory as stacks. Of snapshots only the one of the most bytes is taken, since snapshots do not add up; what is known of the
 * whole heap alone is left out where places are known.
 */
export function heapStacks(report: HeapReport): StackProfile {
  const sites = atPeak(report.sites);
  const names = [...(sites[0]?.amounts.keys() ?? ["amount"])];
  const stacks = new StackTable<StackFrame>();
  const samples = new StackSamples(names.length);
  for (const { frames, amounts } of sites) {
    const stack = frames.reduceRight((caller, frame) => stacks.called(caller, frameNumber(stacks, frame)), 0);
    samples.add(
      stack,
      names.map((name) => amounts.get(name) ?? 0),
    );
  }
  const types = names.map((name) => ({ name: name === "amount" ? "space" : name, unit: counts.has(name) ? "count" : "bytes" }));
  return { stacks, types, main: 0, samples, facts: report.cmd === "" ? {} : { command: report.cmd } };
}

function atPeak(sites: readonly HeapSite[]): readonly HeapSite[] {
  const places = sites.filter(({ subtype }) => subtype !== "total");
  const known = places.length > 0 ? places : sites;
  const sums = new Map<number, number>();
  for (const { snapshot, amounts } of known)
    if (snapshot !== undefined) sums.set(snapshot.number, (sums.get(snapshot.number) ?? 0) + (amounts.get("amount") ?? 0));
  const [peak] = [...sums].reduce((a, b) => (b[1] > a[1] ? b : a), [-1, -1]);
  return known.filter(({ snapshot }) => snapshot === undefined || snapshot.number === peak);
}

function frameNumber(stacks: StackTable<StackFrame>, { function: name, source, line }: Frame): number {
  const isKnown = source !== unreachable;
  return stacks.frame(`${name}\n${source}\n${line}`, () => ({
    function: name === "?" ? "" : name,
    ...(isKnown ? { source } : {}),
    ...(isKnown && line > 0 ? { line } : {}),
  }));
}

import { StackSamples, type StackFrame, type StackProfile } from "../../../core/profiles/stack-profile.ts";
import { StackTable } from "../../../core/profiles/stack-table.ts";
import { unreachable, type Frame } from "../../traces/call-trace.ts";
import type { HeapReport, HeapSite } from "./heap-report.ts";

/** Columns whose numbers are blocks or moments, not bytes. */
const counts = new Set(["blocks", "temporary", "reads", "writes", "lifetime"]);

/**
 * What a tool says of a program's memory as stacks. Of snapshots only the one of the most bytes is taken, since
 * snapshots do not add up; what is known of the whole heap alone is left out where places are known.
 */
export function heapStacks(report: HeapReport): StackProfile {
  const isMeant = atPeak(report.sites);
  const names = namesOf(report.sites, isMeant);
  const stacks = new StackTable<StackFrame>();
  const numbers = new Map<Frame, number>();
  const numberOf = (frame: Frame): number => {
    const number = numbers.get(frame) ?? frameNumber(stacks, frame);
    numbers.set(frame, number);
    return number;
  };
  const samples = new StackSamples(names.length);
  for (const site of report.sites) {
    if (!isMeant(site)) continue;
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

function namesOf(sites: Iterable<HeapSite>, isMeant: (site: HeapSite) => boolean): string[] {
  for (const site of sites) if (isMeant(site)) return [...site.amounts.keys()];
  return ["amount"];
}

/** Whether a site is of those that are meant. */
function atPeak(sites: Iterable<HeapSite>): (site: HeapSite) => boolean {
  let hasPlaces = false;
  for (const { subtype } of sites) hasPlaces ||= subtype !== "total";
  const isKnown = ({ subtype }: HeapSite): boolean => !hasPlaces || subtype !== "total";
  const sums = new Map<number, number>();
  for (const site of sites)
    if (isKnown(site) && site.snapshot !== undefined) {
      const { number } = site.snapshot;
      sums.set(number, (sums.get(number) ?? 0) + (site.amounts.get("amount") ?? 0));
    }
  const [peak] = [...sums].reduce((a, b) => (b[1] > a[1] ? b : a), [-1, -1]);
  return (site) => isKnown(site) && (site.snapshot === undefined || site.snapshot.number === peak);
}

function frameNumber(stacks: StackTable<StackFrame>, { function: name, source, line }: Frame): number {
  const isKnown = source !== unreachable;
  return stacks.frame(`${name}\n${source}\n${line}`, () => ({
    function: name === "?" ? "" : name,
    ...(isKnown ? { source } : {}),
    ...(isKnown && line > 0 ? { line } : {}),
  }));
}

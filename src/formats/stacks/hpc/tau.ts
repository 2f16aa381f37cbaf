import type { StackProfile } from "../../../core/profiles/index.ts";
import { ProfileDocument } from "../profiler-document.ts";
import { CallTree, type TreeLabels, type TreeMetric } from "./call-tree.ts";

const separator = " => ";

/** `"name" calls subroutines exclusive inclusive profiledCalls GROUP="…"`. Names may contain quotes. */
const row = /^"(.*)" (\d+(?:\.\d+)?(?:e\+?\d+)?) (\S+) (\S+) (\S+) (\S+) GROUP="([^"]*)"\s*$/i;

/** `main [{/home/user/mm.c} {219,1}-{240,1}]`, `compute [{mm.c} {97}]`, `run [{a.c} {0, 0}]`. */
const location = /^(.*?)\s*\[\{(.*?)\}(?: \{(\d+)(?:, ?\d+)?\}.*)?\]$/;

/** A timer: its name, or call path, and its own calls and cost. */
interface Timer {
  readonly path: readonly string[];
  readonly calls: number;
  readonly own: number;
}

/** True for the first line of a profile. */
export function isTau(text: string): boolean {
  return /^\d{1,9} templated_functions(?:_MULTI_\S+)?[ \t]*\r?\n# Name Calls /.test(text);
}

/**
 * Reads a `profile.N.C.T` of TAU: a process or thread and a metric. A function's own cost is divided over its call
 * paths where TAU recorded them (`TAU_CALLPATH`); the rest is a stack of one function. Samples and user events are left
 * out. Fails with `bad-stack-profile`, `no-stacks`.
 */
export function readTau(bytes: Uint8Array, file: string): StackProfile {
  const document = new ProfileDocument(file, "tau");
  const { metric, timers, facts } = parseTau(document, bytes);
  const tree = new CallTree(document, [metricOf(metric), callsMetric]);
  addAll(tree, timers, (own, calls) => [own, calls]);
  return tree.profile(file, "TAU", facts);
}

/** A file of a folder of TAU: a process or thread, and a metric. */
export interface TauFile {
  /** For messages. */
  readonly path: string;
  /** Numbers of the name `profile.NODE.CONTEXT.THREAD`. */
  readonly location: readonly number[];
  readonly bytes: Uint8Array;
}

/**
 * Reads the files of a run of TAU as one profile: a type for each metric, and the labels `rank`, `context` and `thread`
 * where there are several. Fails with `bad-stack-profile`, `no-stacks`.
 */
export function readTauFiles(files: Iterable<TauFile>, folder: string): StackProfile {
  const parsed = Array.from(files, ({ path, location, bytes }) => {
    const document = new ProfileDocument(path, "tau");
    return { document, location, ...parseTau(document, bytes) };
  });
  const metrics = [...new Set(parsed.map(({ metric }) => metric))];
  const types = metricsOf(metrics);
  const tree = new CallTree(new ProfileDocument(folder, "tau"), [...types, callsMetric]);
  const seen = new Map<string, Set<string>>();
  const names = labelNames(parsed.map(({ location }) => location));
  for (const { document, location, metric, timers } of parsed) {
    const key = location.join(".");
    const known = seen.get(key) ?? new Set();
    if (known.has(metric)) throw document.bad(`another file has ${metric} of profile.${key}`);
    seen.set(key, known.add(metric));
    const at = metrics.indexOf(metric);
    // The file of each metric repeats the calls.
    const valuesOf = (own: number, calls: number): number[] => [
      ...types.map((_, type) => (type === at ? own : Number.NaN)),
      known.size === 1 ? calls : Number.NaN,
    ];
    addAll(tree, timers, valuesOf, labelsOf(names, location));
  }
  const comments = parsed.flatMap(({ facts }) => facts.comments ?? []);
  const command = parsed[0]?.facts.command;
  return tree.profile(folder, "TAU", {
    ...(command === undefined ? {} : { command }),
    ...(comments.length === 0 ? {} : { comments: [...new Set(comments)] }),
  });
}

/** The numbers of the location that differ between files, with the names of their labels. */
function labelNames(locations: readonly (readonly number[])[]): (readonly [string, number])[] {
  const names = ["rank", "context", "thread"].map((name, at) => [name, at] as const);
  return names.filter(([, at]) => new Set(locations.map((location) => location[at])).size > 1);
}

function labelsOf(names: readonly (readonly [string, number])[], location: readonly number[]): TreeLabels {
  return new Map(names.map(([name, at]) => [name, [{ value: location[at]!, unit: "" }]]));
}

interface TauProfile {
  readonly metric: string;
  readonly timers: readonly Timer[];
  readonly facts: { readonly command?: string; readonly comments?: readonly string[] };
}

function parseTau(document: ProfileDocument, bytes: Uint8Array): TauProfile {
  const text = new TextDecoder().decode(bytes);
  if (!isTau(text)) throw document.bad("it does not begin with '… templated_functions_MULTI_TIME'");
  const lines = text.split(/\r?\n/);
  const [, count = "", metric = "TIME"] = /^(\d+) templated_functions(?:_MULTI_(\S+))?/.exec(lines[0]!) ?? [];
  const end = 2 + Number(count);
  if (!/^\d+ aggregates$/.test(lines[end] ?? ""))
    throw document.bad(`it has not the ${count} functions of its first line`);
  const timers = timersOf(document, lines.slice(2, end));
  const skipped = Number(count) - timers.length;
  const events = /^(\d+) userevents$/.exec(lines[end + 1] ?? "")?.[1];
  const comments = [
    ...(skipped === 0 ? [] : [`left out: ${skipped} rows of samples`]),
    ...(events === undefined ? [] : [`left out: ${events} user events`]),
  ];
  const facts = { ...commandOf(lines[1]!), ...(comments.length === 0 ? {} : { comments }) };
  return { metric, timers, facts };
}

const callsMetric: TreeMetric = { name: "calls", unit: "count", isInclusive: false };

function metricOf(metric: string): TreeMetric {
  const isTime = metric === "TIME" || /_TIME$|TIMEOFDAY/.test(metric);
  return { name: isTime ? "time" : metric, unit: isTime ? "microseconds" : "count", isInclusive: false };
}

/** Several clocks keep their names. */
function metricsOf(metrics: readonly string[]): TreeMetric[] {
  const all = metrics.map(metricOf);
  const clocks = all.filter(({ name }) => name === "time").length;
  return all.map((each, at) => (clocks > 1 && metrics[at] !== "TIME" ? { ...each, name: metrics[at]! } : each));
}

function timersOf(document: ProfileDocument, lines: readonly string[]): Timer[] {
  return lines.flatMap((line, at): Timer[] => {
    const [, name, calls = "", , own = "", , , group = ""] = row.exec(line) ?? [];
    if (name === undefined) throw document.bad(`line ${at + 3} is not a function`);
    const [count, cost] = [Number(calls), Number(own)];
    if (!Number.isFinite(count) || !Number.isFinite(cost)) throw document.bad(`line ${at + 3} has an invalid number`);
    if (/\bTAU_SAMPLE|\bTAU_UNWIND/.test(group)) return [];
    return [{ path: name.split(separator).map((part) => part.trim()), calls: count, own: cost }];
  });
}

/** Adds call paths, and of each function what is not in one of its call paths. */
function addAll(
  tree: CallTree,
  timers: readonly Timer[],
  valuesOf: (own: number, calls: number) => readonly number[],
  labels?: TreeLabels,
): void {
  const inPaths = new Map<string, { calls: number; own: number }>();
  for (const { path, calls, own } of timers) {
    if (path.length === 1) continue;
    tree.add(
      path.reduce((caller, name) => callOf(tree, caller, name), 0),
      valuesOf(own, calls),
      labels,
    );
    const sum = inPaths.get(path.at(-1)!) ?? { calls: 0, own: 0 };
    inPaths.set(path.at(-1)!, { calls: sum.calls + calls, own: sum.own + own });
  }
  for (const { path, calls, own } of timers) {
    if (path.length > 1) continue;
    const known = inPaths.get(path[0]!) ?? { calls: 0, own: 0 };
    const left = [Math.max(0, own - known.own), Math.max(0, calls - known.calls)] as const;
    if (left.some((value) => value > 0)) tree.add(callOf(tree, 0, path[0]!), valuesOf(...left), labels);
  }
}

function callOf(tree: CallTree, caller: number, text: string): number {
  const [, name = "", source = "", line] = location.exec(text) ?? [];
  if (name === "") return tree.called(caller, text);
  const number = Number(line ?? 0);
  return tree.called(caller, name, { source, ...(number > 0 ? { line: number } : {}) });
}

const entities: ReadonlyMap<string, string> = new Map([
  ["&lt;", "<"],
  ["&gt;", ">"],
  ["&quot;", '"'],
  ["&apos;", "'"],
  ["&amp;", "&"],
]);

function commandOf(header: string): { readonly command?: string } {
  const [, text] = /<name>Command Line<\/name><value>([^<]{1,10000})<\/value>/.exec(header) ?? [];
  if (text === undefined) return {};
  return { command: text.replaceAll(/&\w{2,4};/g, (entity) => entities.get(entity) ?? entity).trim() };
}

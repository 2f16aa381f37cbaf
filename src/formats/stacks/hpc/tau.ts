import type { StackProfile } from "../../../core/profiles/index.ts";
import { ProfileDocument } from "../profiler-document.ts";
import { CallTree } from "./call-tree.ts";

const separator = " => ";

/** `"name" calls subroutines exclusive inclusive profiledCalls GROUP="…"`. Names may contain quotes. */
const row = /^"(.*)" (\d+(?:\.\d+)?(?:e\+?\d+)?) (\S+) (\S+) (\S+) (\S+) GROUP="([^"]*)"\s*$/i;

/** `main [{/home/user/mm.c} {219,1}-{240,1}]`, `compute [{mm.c} {97}]`. */
const location = /^(.*?)\s*\[\{(.*?)\}(?: \{(\d+)(?:,\d+)?\}.*)?\]$/;

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
  const unit = metric === "TIME" || /_TIME$|TIMEOFDAY/.test(metric) ? "microseconds" : "count";
  const tree = new CallTree(document, [
    { name: unit === "count" ? metric : "time", unit, isInclusive: false },
    { name: "calls", unit: "count", isInclusive: false },
  ]);
  addAll(tree, timers);
  return tree.profile(file, "TAU", {
    ...commandOf(lines[1]!),
    ...(comments.length === 0 ? {} : { comments }),
  });
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
function addAll(tree: CallTree, timers: readonly Timer[]): void {
  const inPaths = new Map<string, { calls: number; own: number }>();
  for (const { path, calls, own } of timers) {
    if (path.length === 1) continue;
    tree.add(
      path.reduce((caller, name) => callOf(tree, caller, name), 0),
      [own, calls],
    );
    const sum = inPaths.get(path.at(-1)!) ?? { calls: 0, own: 0 };
    inPaths.set(path.at(-1)!, { calls: sum.calls + calls, own: sum.own + own });
  }
  for (const { path, calls, own } of timers) {
    if (path.length > 1) continue;
    const known = inPaths.get(path[0]!) ?? { calls: 0, own: 0 };
    const left = [Math.max(0, own - known.own), Math.max(0, calls - known.calls)];
    if (left.some((value) => value > 0)) tree.add(callOf(tree, 0, path[0]!), left);
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

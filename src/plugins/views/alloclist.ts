import { Failure } from "../../core/failures/index.ts";
import type { Block, Figure, TableBlock, TableColumn } from "../../core/figures/index.ts";
import type { Run } from "../../core/profiles/index.ts";
import type { Values } from "../../core/values/index.ts";
import {
  type Allocation,
  allocationsOf,
  frameText,
  isNamed,
  type Frame,
  linesOption,
  textOption,
  titled,
  wantedData,
  wantedRows,
} from "../../query/profile/index.ts";
import { withDefaults, numberWithin, option } from "../plugin.ts";
import type { View } from "./view.ts";

/** Context lines before and after a line with allocations. */
const contextLines = 2;

/** The frame of an allocation: the innermost with a source. */
function frameOf({ trace }: Allocation): Frame | undefined {
  return trace.find(({ source, line }) => source !== "" && source !== "unreachable" && /^\d{1,9}$/.test(line));
}

/** The source files of allocations, in order of first appearance. */
function sourcesOf(all: readonly Allocation[]): string[] {
  return [...new Set(all.flatMap((allocation) => frameOf(allocation)?.source ?? []))];
}

interface LineSum {
  bytes: number;
  calls: number;
}

/**
 * The source lines with allocations, with their bytes and calls. `texts`: available sources by path; others are
 * skipped.
 */
function listings(all: readonly Allocation[], texts: ReadonlyMap<string, string>): TableBlock[] {
  return sourcesOf(all).flatMap((source) => {
    const text = texts.get(source);
    return text === undefined ? [] : listing(source, text.split(/\r?\n/), sumsIn(all, source));
  });
}

function sumsIn(all: readonly Allocation[], source: string): ReadonlyMap<number, LineSum> {
  const sums = new Map<number, LineSum>();
  for (const allocation of all) {
    const frame = frameOf(allocation);
    if (frame?.source !== source) continue;
    const sum = sums.get(Number(frame.line)) ?? { bytes: 0, calls: 0 };
    sums.set(Number(frame.line), sum);
    sum.bytes += allocation.bytes;
    sum.calls += 1;
  }
  return sums;
}

function listing(source: string, lines: readonly string[], sums: ReadonlyMap<number, LineSum>): TableBlock[] {
  const selected = new Set(
    [...sums.keys()].flatMap((line) => Array.from({ length: 2 * contextLines + 1 }, (_, i) => line - contextLines + i)),
  );
  const shown = [...selected].filter((line) => line >= 1 && line <= lines.length).toSorted((a, b) => a - b);
  if (shown.length === 0) return [];
  const rows = shown.flatMap((line, at) => {
    const sum = sums.get(line);
    const own = [
      String(line),
      sum === undefined ? "" : String(sum.bytes),
      sum === undefined ? "" : String(sum.calls),
      lines[line - 1] ?? "",
    ];
    return at > 0 && shown[at - 1] !== line - 1 ? [["…", "", "", ""], own] : [own];
  });
  const right = (label: string) => ({ label, align: "right" }) as const;
  return [
    {
      kind: "table",
      caption: `${source}, working copy`,
      head: [right("line"), right("bytes"), right("calls"), { label: "source", align: "left" }],
      rows,
    },
  ];
}

/** Lists of allocations: the largest, sums by location, those of one function, or all. */
export const alloclist: View = Object.freeze<View>({
  kind: "view",
  name: "alloclist",
  synopsis: "lists of allocations: the largest, sums by location, those of a function, or all; with source lines",
  operand: "mode",
  options: [
    option("mode", "string", "top", "the largest, sums by location, those of a function, or all in order", [
      "top",
      "sum",
      "func",
      "all",
    ]),
    option("top", "integer", null, "maximum rows; default: 10 for top, else all"),
    option(
      "function",
      "string",
      null,
      "function whose allocations to list, with or without parameters; required by `func`",
    ),
    option("through", "boolean", false, "include allocations of functions that the function calls"),
    option("subtype", "string", null, "only calls of this name"),
    option("where", "text", null, "conditions on rows, one per line, as in perfkeep query"),
    option("listing", "boolean", true, "show source lines, if the file is available"),
  ],
  sources: (run, given) =>
    withDefaults(alloclist, given).get("listing") === true
      ? sourcesOf(selectedAllocations(run, withDefaults(alloclist, given)))
      : [],
  draw: drawList,
});

function drawList(run: Run, given: Values, texts: ReadonlyMap<string, string> = new Map()): Figure {
  const options = withDefaults(alloclist, given);
  const all = selectedAllocations(run, options);
  const mode = textOption(options, "mode") ?? "top";
  const blocks: Block[] = [
    tableOf(mode, all, options),
    ...(options.get("listing") === true ? listings(all, texts) : []),
  ];
  return { title: titled(run, titles[mode] ?? mode), blocks };
}

const titles: Readonly<Record<string, string>> = {
  top: "largest allocations",
  sum: "allocations by location",
  func: "allocations of a function",
  all: "allocations",
};

function selectedAllocations(run: Run, options: Values): Allocation[] {
  const where = linesOption(options, "where");
  const all = allocationsOf(wantedRows(run, where), wantedData(run, where), textOption(options, "subtype"));
  const name = textOption(options, "function");
  if (name === undefined && textOption(options, "mode") === "func")
    throw new Failure("nothing-to-draw", {
      what: "mode func without a function",
      instead: "add --function NAME",
    });
  const matching = name === undefined ? all : all.filter((each) => isBy(each, name, options.get("through") === true));
  if (matching.length > 0) return matching;
  throw new Failure("nothing-to-draw", {
    what: name === undefined ? "the profile has no matching allocations" : `no allocations by ${name}`,
  });
}

function isBy(allocation: Allocation, name: string, isThrough: boolean): boolean {
  const { trace } = allocation;
  if (trace.length === 0) return allocation.uid.split(":").some((part) => isNamed(part, name));
  const inner = frameOf(allocation) ?? trace[0];
  return isThrough
    ? trace.some((frame) => isNamed(frame.function, name))
    : inner !== undefined && isNamed(inner.function, name);
}

function tableOf(mode: string, all: readonly Allocation[], options: Values): TableBlock {
  const top =
    options.get("top") === null ? (mode === "top" ? 10 : all.length) : numberWithin(alloclist, options, "top", 1, 1e6);
  if (mode === "sum") return sumsTable(all, top, ({ uid }) => uid, "location");
  if (mode === "func")
    return sumsTable(
      all,
      top,
      ({ trace, uid }) => (trace.length === 0 ? uid : traceText(trace)),
      "calls, innermost first",
    );
  const ordered = mode === "top" ? all.toSorted((a, b) => b.bytes - a.bytes) : all;
  return rowsTable(ordered.slice(0, top), all.length);
}

function traceText(trace: Allocation["trace"]): string {
  return trace.map(frameText).join(" < ");
}

const left = (label: string): TableColumn => ({ label, align: "left" });
const right = (label: string): TableColumn => ({ label, align: "right" });

function rowsTable(rows: readonly Allocation[], of: number): TableBlock {
  const hasHeld = rows.some(({ isHeld }) => isHeld !== undefined);
  const head = [
    right("bytes"),
    left("call"),
    right("snapshot"),
    ...(hasHeld ? [left("freed")] : []),
    left("location"),
    left("calls, innermost first"),
  ];
  return {
    kind: "table",
    caption: `${rows.length} of ${of} allocations`,
    head,
    rows: rows.map(({ bytes, call, snapshot, isHeld, uid, trace }) => [
      String(bytes),
      call,
      snapshot,
      ...(hasHeld ? [isHeld === true ? "no" : "yes"] : []),
      uid,
      traceText(trace),
    ]),
  };
}

interface Sum {
  bytes: number;
  calls: number;
  held: number;
}

function sumsTable(
  all: readonly Allocation[],
  top: number,
  key: (allocation: Allocation) => string,
  name: string,
): TableBlock {
  const sums = new Map<string, Sum>();
  for (const allocation of all) {
    const sum = sums.get(key(allocation)) ?? { bytes: 0, calls: 0, held: 0 };
    sums.set(key(allocation), sum);
    sum.bytes += allocation.bytes;
    sum.calls += 1;
    if (allocation.isHeld === true) sum.held += allocation.bytes;
  }
  const totalBytes = all.reduce((total, { bytes }) => total + bytes, 0);
  const hasHeld = all.some(({ isHeld }) => isHeld !== undefined);
  const sorted = [...sums].toSorted(([a, x], [b, y]) => y.bytes - x.bytes || (a < b ? -1 : 1)).slice(0, top);
  const rows = sorted.map(([location, { bytes, calls, held }]) => [
    String(bytes),
    totalBytes === 0 ? "" : `${((100 * bytes) / totalBytes).toFixed(1)} %`,
    String(calls),
    ...(hasHeld ? [String(held)] : []),
    location,
  ]);
  const head = [right("bytes"), right("share"), right("calls"), ...(hasHeld ? [right("never freed")] : []), left(name)];
  return { kind: "table", caption: `${totalBytes} bytes by ${all.length} allocations`, head, rows };
}

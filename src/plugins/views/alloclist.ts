import { Failure } from "../../core/failures/failure.ts";
import type { Block, Figure, TableBlock, TableColumn } from "../../core/figures/figure.ts";
import type { Run } from "../../core/profiles/run.ts";
import type { Values } from "../../core/values/value.ts";
import { type Allocation, allocationsOf, frameText, isNamed } from "../../query/profile/allocations.ts";
import { linesOption, textOption, titled, wantedData, wantedRows } from "../../query/profile/view-points.ts";
import { completed, numberWithin, option } from "../plugin.ts";
import { listings, placeOf, sourcesOf } from "./alloclist-listing.ts";
import type { View } from "./view.ts";

/** Who asked for memory: the greatest allocations, sums by place, those of one function, or all. */
export const alloclist: View = Object.freeze<View>({
  kind: "view",
  name: "alloclist",
  synopsis:
    "lists of allocations: the greatest, sums by place, those of a function, or all; with the lines of the source",
  operand: "mode",
  options: [
    option("mode", "string", "top", "the greatest, sums by place, those of a function, or all in their order", [
      "top",
      "sum",
      "func",
      "all",
    ]),
    option("top", "integer", null, "so many rows; default: 10 of top, all of the others"),
    option("function", "string", null, "whose allocations: with or without its parameters; `func` needs it"),
    option("through", "boolean", false, "of a function also those of functions that it calls"),
    option("subtype", "string", null, "calls of this name alone"),
    option("where", "text", null, "conditions on rows, one a line, as in perfkeep query"),
    option("listing", "boolean", true, "lines of the source, where the file is at hand"),
  ],
  sources: (run, given) =>
    completed(alloclist, given).get("listing") === true ? sourcesOf(wanted(run, completed(alloclist, given))) : [],
  draw: drawList,
});

function drawList(run: Run, given: Values, texts: ReadonlyMap<string, string> = new Map()): Figure {
  const options = completed(alloclist, given);
  const all = wanted(run, options);
  const mode = textOption(options, "mode") ?? "top";
  const blocks: Block[] = [
    tableOf(mode, all, options),
    ...(options.get("listing") === true ? listings(all, texts) : []),
  ];
  return { title: titled(run, titles[mode] ?? mode), blocks };
}

const titles: Readonly<Record<string, string>> = {
  top: "greatest allocations",
  sum: "allocations by place",
  func: "allocations of a function",
  all: "allocations",
};

function wanted(run: Run, options: Values): Allocation[] {
  const where = linesOption(options, "where");
  const all = allocationsOf(wantedRows(run, where), wantedData(run, where), textOption(options, "subtype"));
  const name = textOption(options, "function");
  if (name === undefined && textOption(options, "mode") === "func")
    throw new Failure("nothing-to-draw", {
      what: "func lists the allocations of a function, and none is named",
      instead: "add --function NAME",
    });
  const fitting = name === undefined ? all : all.filter((each) => isBy(each, name, options.get("through") === true));
  if (fitting.length > 0) return fitting;
  throw new Failure("nothing-to-draw", {
    what: name === undefined ? "the rows tell no allocation" : `nothing is allocated by ${name}`,
  });
}

function isBy(allocation: Allocation, name: string, isThrough: boolean): boolean {
  const { trace } = allocation;
  if (trace.length === 0) return allocation.uid.split(":").some((part) => isNamed(part, name));
  const inner = placeOf(allocation) ?? trace[0];
  return isThrough
    ? trace.some((frame) => isNamed(frame.function, name))
    : inner !== undefined && isNamed(inner.function, name);
}

function tableOf(mode: string, all: readonly Allocation[], options: Values): TableBlock {
  const top =
    options.get("top") === null ? (mode === "top" ? 10 : all.length) : numberWithin(alloclist, options, "top", 1, 1e6);
  if (mode === "sum") return sumsTable(all, top, ({ uid }) => uid, "place");
  if (mode === "func")
    return sumsTable(all, top, ({ trace, uid }) => (trace.length === 0 ? uid : traceText(trace)), "calls, inner first");
  const greatest = mode === "top" ? all.toSorted((a, b) => b.bytes - a.bytes) : all;
  return rowsTable(greatest.slice(0, top), all.length);
}

function traceText(trace: Allocation["trace"]): string {
  return trace.map(frameText).join(" < ");
}

const left = (label: string): TableColumn => ({ label, align: "left" });
const right = (label: string): TableColumn => ({ label, align: "right" });

function rowsTable(rows: readonly Allocation[], of: number): TableBlock {
  const knowsHeld = rows.some(({ isHeld }) => isHeld !== undefined);
  const head = [
    right("bytes"),
    left("call"),
    right("snapshot"),
    ...(knowsHeld ? [left("given back")] : []),
    left("place"),
    left("calls, inner first"),
  ];
  return {
    kind: "table",
    caption: `${rows.length} of ${of} allocations`,
    head,
    rows: rows.map(({ bytes, call, snapshot, isHeld, uid, trace }) => [
      String(bytes),
      call,
      snapshot,
      ...(knowsHeld ? [isHeld === true ? "no" : "yes"] : []),
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
  const whole = all.reduce((total, { bytes }) => total + bytes, 0);
  const knowsHeld = all.some(({ isHeld }) => isHeld !== undefined);
  const sorted = [...sums].toSorted(([a, x], [b, y]) => y.bytes - x.bytes || (a < b ? -1 : 1)).slice(0, top);
  const rows = sorted.map(([place, { bytes, calls, held }]) => [
    String(bytes),
    whole === 0 ? "" : `${((100 * bytes) / whole).toFixed(1)} %`,
    String(calls),
    ...(knowsHeld ? [String(held)] : []),
    place,
  ]);
  const head = [
    right("bytes"),
    right("share"),
    right("calls"),
    ...(knowsHeld ? [right("never given back")] : []),
    left(name),
  ];
  return { kind: "table", caption: `${whole} bytes by ${all.length} allocations`, head, rows };
}

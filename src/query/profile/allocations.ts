import { Failure } from "../../core/failures/failure.ts";
import { flatText } from "../../core/values/flatten.ts";
import { isList, isObject, type Json } from "../../core/values/json.ts";
import type { Table } from "../../core/tables/table.ts";
import { cellsOf } from "./cells.ts";
import { rowsToAdd } from "./folded-stacks.ts";
import { heapEvents, replay } from "./heap-events.ts";
import { textsOf } from "./quantities.ts";

/** An allocation of a memory profile, or the sum of the allocations of one location. */
export interface Allocation {
  readonly row: number;
  readonly bytes: number;
  /** The allocation function; "" if unknown. */
  readonly call: string;
  readonly uid: string;
  /** The call stack, innermost first. */
  readonly trace: readonly Frame[];
  readonly snapshot: string;
  /** False: freed; absent: unknown. */
  readonly isHeld?: boolean;
}

export interface Frame {
  readonly function: string;
  readonly source: string;
  readonly line: string;
}

/**
 * The allocations in flat rows and the original rows; of heap states, those of the peak. Fails with `nothing-to-draw`.
 */
export function allocationsOf(flat: Table, data: Table, subtype: string | undefined): Allocation[] {
  const [type, call, uid, snapshot] = ["type", "subtype", "uid", "snapshot"].map((name) => textsOf(flat, name)) as [
    Text,
    Text,
    Text,
    Text,
  ];
  const amount = numbersOf(flat, "amount");
  const all = Array.from({ length: flat.length }, (_, row) => row);
  if (!all.some((row) => type(row) === "memory"))
    throw new Failure("nothing-to-draw", {
      what: "no row is of memory",
      instead: "collect with the collector memory; of other profiles perfkeep show PROFILE tableof lists the rows",
    });
  const held = heldRows(flat);
  const traces = tracesOf(data);
  const rows = [...rowsToAdd(flat, subtype, (row) => amount(row))].filter(
    (row) => call(row) !== "free" && !Number.isNaN(amount(row)),
  );
  return rows.map((row) => ({
    row,
    bytes: amount(row),
    call: call(row),
    uid: uid(row),
    trace: traces(row),
    snapshot: snapshot(row),
    ...(held === undefined ? {} : { isHeld: held.has(row) }),
  }));
}

type Text = (row: number) => string;

/** Rows whose memory was never freed; undefined without addresses. */
function heldRows(flat: Table): Set<number> | undefined {
  if (!flat.variables.some(({ name }) => name === "address")) return undefined;
  const none = (): void => {};
  return new Set(
    heapEvents(flat).flatMap((events) => replay(events, none, none).map(({ event }) => events.row[event] ?? -1)),
  );
}

/** Parses each distinct trace once. */
function tracesOf(data: Table): (row: number) => readonly Frame[] {
  const cells = cellsOf(data, "trace");
  const known = new Map<number, readonly Frame[]>();
  return (row) => {
    const code = cells.code(row);
    const found = known.get(code) ?? framesOf(cells.at(row));
    known.set(code, found);
    return found;
  };
}

function framesOf(trace: Json | undefined): Frame[] {
  return isList(trace) ? trace.map(frameOf) : [];
}

function frameOf(frame: Json): Frame {
  if (!isObject(frame)) return { function: flatText(frame), source: "", line: "" };
  const text = (name: string): string => flatText(frame.get(name) ?? "");
  return { function: text("function") || text("func"), source: text("source"), line: text("line") };
}

/** `f() a.c:12` */
export function frameText({ function: name, source, line }: Frame): string {
  return source === "" ? name : `${name} ${source}${line === "" ? "" : `:${line}`}`;
}

/** Whether a function has this name, with or without its parameters. */
export function isNamed(name: string, wanted: string): boolean {
  return name === wanted || name.replace(/\(.*$/s, "") === wanted;
}

function numbersOf(flat: Table, name: string): (row: number) => number {
  const column = flat.columns[flat.variables.findIndex((variable) => variable.name === name)];
  if (column?.kind !== "number") return () => Number.NaN;
  return (row) => (column.missing?.[row] === 1 ? Number.NaN : (column.values[row] ?? Number.NaN));
}

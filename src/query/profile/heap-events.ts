import { Failure } from "../../core/failures/index.ts";
import type { Table } from "../../core/tables/index.ts";
import { flatText, isList, isObject, type Json } from "../../core/values/index.ts";
import { cellsOf } from "./cells.ts";
import { rowsToAdd } from "./folded-stacks.ts";
import { textsOf } from "./quantities.ts";

/** The allocator calls of one process in chronological order, as parallel arrays. */
export interface HeapEvents {
  /** "" in a profile of a single process. */
  readonly process: string;
  /** Row of the table. */
  readonly row: Uint32Array;
  readonly address: Float64Array;
  /** Bytes allocated; NaN: a free. */
  readonly amount: Float64Array;
  /** The old address of a realloc; NaN: none. */
  readonly old: Float64Array;
  readonly snapshot: Float64Array;
}

/**
 * The events of a memory collector (flat rows), a list per process. Fails with `nothing-to-draw` for rows without
 * addresses.
 */
export function heapEvents(data: Table): HeapEvents[] {
  const [address, amount, old, snapshot, order] = [
    "address",
    "amount",
    "old-address",
    "snapshot",
    "allocation_order",
  ].map((name) => numbersOf(data, name)) as [Numbers, Numbers, Numbers, Numbers, Numbers];
  const [process, subtype] = [textsOf(data, "process"), textsOf(data, "subtype")];
  const byProcess = new Map<string, number[]>();
  for (let row = 0; row < data.length; row++) {
    if (Number.isNaN(address(row)) || Number.isNaN(amount(row))) continue;
    const own = byProcess.get(process(row));
    if (own) own.push(row);
    else byProcess.set(process(row), [row]);
  }
  if (byProcess.size === 0)
    throw new Failure("nothing-to-draw", {
      what: "no row has an address",
      instead: "collect with the collector memory, which keeps each allocation with its address",
    });
  return [...byProcess].map(([name, own]) => {
    const row = Uint32Array.from(own).sort((a, b) => order(a) - order(b) || a - b);
    const of = (numbers: Numbers): Float64Array => Float64Array.from(row, numbers);
    const given = (each: number): number => (subtype(each) === "free" ? Number.NaN : amount(each));
    return {
      process: name,
      row,
      address: of(address),
      amount: of(given),
      old: of(old),
      snapshot: of((each) => snapshot(each) || 0),
    };
  });
}

type Numbers = (row: number) => number;

function numbersOf(data: Table, name: string): Numbers {
  const column = data.columns[data.variables.findIndex((variable) => variable.name === name)];
  if (column?.kind !== "number") return () => Number.NaN;
  return (row) => (column.missing?.[row] === 1 ? Number.NaN : (column.values[row] ?? Number.NaN));
}

/** An allocated block: its event, address and size. */
export interface Held {
  readonly event: number;
  readonly address: number;
  readonly bytes: number;
}

/** Replays the events: calls `taken` for each allocation and `given` for each free. Returns the blocks never freed. */
export function replay(
  events: HeapEvents,
  taken: (held: Held) => void,
  given: (held: Held, event: number) => void,
): Held[] {
  const held = new Map<number, Held>();
  const giveBack = (address: number, event: number): void => {
    const found = held.get(address);
    if (found === undefined || !held.delete(address)) return;
    given(found, event);
  };
  events.address.forEach((address, event) => {
    const [bytes, old] = [events.amount[event]!, events.old[event]!];
    if (!Number.isNaN(old)) giveBack(old, event);
    giveBack(address, event);
    if (Number.isNaN(bytes)) return;
    const own = { event, address, bytes };
    held.set(address, own);
    taken(own);
  });
  return [...held.values()];
}

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
      what: "the profile has no allocations",
      instead: "collect one with perfkeep collect memory; perfkeep show PROFILE tableof lists the rows of this one",
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

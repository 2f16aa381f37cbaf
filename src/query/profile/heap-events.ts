import { Failure } from "../../core/failures/failure.ts";
import type { Table } from "../../core/tables/table.ts";
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

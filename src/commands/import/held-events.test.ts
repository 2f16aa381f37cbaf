import { expect, test } from "vitest";
import { numberColumn, type Table } from "../../core/tables/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import type { ImportEvent } from "../../plugins/importers/importer.ts";
import { HeldMemory, holdEvents, type HeldEvents } from "./held-events.ts";

const speed: Variable = { name: "speed", role: "result", occurrence: "multiple", type: "float", default: null };

/** Rows of 8 MiB. */
function table(): Table {
  const values = new Float64Array(1 << 20);
  return { variables: [speed], columns: [numberColumn(values)], length: values.length };
}

const declare: ImportEvent = { kind: "declare", variables: [speed] };
const end: ImportEvent = { kind: "end" };

function report(tables: number): readonly ImportEvent[] {
  return [declare, ...Array.from({ length: tables }, (): ImportEvent => ({ kind: "rows", table: table() })), end];
}

/** The events, with the number of those that were read. */
function counted(events: readonly ImportEvent[]): { read: number; events(): AsyncGenerator<ImportEvent> } {
  const counter = {
    read: 0,
    async *events(): AsyncGenerator<ImportEvent> {
      for (const event of events) {
        counter.read += 1;
        yield await Promise.resolve(event);
      }
    },
  };
  return counter;
}

async function kindsOf({ events }: HeldEvents): Promise<string[] | undefined> {
  if (events === undefined) return undefined;
  const kinds: string[] = [];
  for await (const { kind } of events) kinds.push(kind);
  return kinds;
}

const options = (most?: number): { memory: HeldMemory; declaresFirst: boolean; mayPause: boolean } => ({
  memory: new HeldMemory(most),
  declaresFirst: true,
  mayPause: true,
});

const kinds = (tables: number): string[] => ["declare", ...Array.from({ length: tables }, () => "rows"), "end"];

test("the last report is read on demand after its first rows", async () => {
  const source = counted(report(5));
  const held = await holdEvents(source.events(), options());
  expect([held.isPaused, source.read, held.declared]).toEqual([true, 4, [speed]]);
  expect(await kindsOf(held)).toEqual(kinds(5));
  expect(source.read).toBe(7);
});

test.each([
  ["the last one of a format that declares variables later", { declaresFirst: false }],
  ["any other", { mayPause: false }],
])("%s is read completely", async (_, changed) => {
  const source = counted(report(5));
  const held = await holdEvents(source.events(), { ...options(), ...changed });
  expect([held.isPaused, source.read]).toEqual([false, 7]);
  expect(await kindsOf(held)).toEqual(kinds(5));
});

test("rows beyond the memory are dropped, and read no further if the variables are known", async () => {
  const [early, late] = [counted(report(5)), counted(report(5))];
  const given = { ...options(20 * 2 ** 20), mayPause: false };
  const held = await holdEvents(early.events(), given);
  expect([held.events, held.declared, early.read]).toEqual([undefined, [speed], 4]);
  expect((await holdEvents(late.events(), { ...given, declaresFirst: false })).events).toBeUndefined();
  expect([late.read, given.memory.bytes]).toEqual([7, 0]);
});

test("all reports share the memory, until their rows are released", async () => {
  const given = { ...options(20 * 2 ** 20), mayPause: false };
  const first = await holdEvents(counted(report(2)).events(), given);
  expect((await holdEvents(counted(report(1)).events(), given)).events).toBeUndefined();
  expect(await kindsOf(first)).toEqual(kinds(2));
  expect(await kindsOf(await holdEvents(counted(report(1)).events(), given))).toEqual(kinds(1));
});

import { expect, test } from "vitest";
import { allocationLog } from "../../../test/fakes/allocation-log.ts";
import { decodeAllocationLog, type AllocationLog, type LoggedStack } from "../../formats/traces/allocation-log.ts";
import type { Frame } from "../../formats/traces/call-trace.ts";
import { subjectsOf } from "./memory-rows.ts";

/** Calls a microsecond apart, all from one frame. */
const log = decodeAllocationLog(
  allocationLog([
    { call: "malloc", amount: 1, address: 64 },
    { call: "malloc", amount: 2, address: 128 },
    { call: "free", amount: 0, address: 64 },
    { call: "malloc", amount: 4, address: 256 },
  ]),
);
const frame: Frame = { function: "main", source: "a.c", line: 3 };

function rows(logs: readonly AllocationLog[], sampling: number): string[] {
  const frames = new Map<LoggedStack, readonly Frame[]>(
    logs.flatMap(({ stacks }) => stacks.map((stack) => [stack, [frame]] as const)),
  );
  return subjectsOf(logs, frames, { sampling, all: false, noFunctions: [], noSources: [] }).map(
    ({ properties, columns }) => {
      const numbers = (name: string): string =>
        Array.from(columns.find((column) => column.name === name)?.values ?? []).join(",");
      const process = (properties.get("process") as { text: string } | undefined)?.text ?? "-";
      const snapshot = (properties.get("snapshot") as { text: string }).text;
      const subtype = properties.get("subtype") as string;
      return `${process} ${snapshot} ${subtype}: ${numbers("amount")} as ${numbers("allocation_order")}`;
    },
  );
}

test("calls of one frame, kind and snapshot are rows of one subject", () => {
  expect(rows([log], 1)).toEqual(["- 0 malloc: 1,2,4 as 1,2,4", "- 0 free: 0 as 3"]);
  expect(rows([log], 2e-6)).toEqual(["- 0 malloc: 1,2 as 1,2", "- 1 free: 0 as 3", "- 1 malloc: 4 as 4"]);
});

test("a call that was recorded late is sorted by time", () => {
  const times = Float64Array.of(0, 2000, 0, 1000);
  const late: AllocationLog = { ...log, allocations: { ...log.allocations, length: 4, nanoseconds: times } };
  expect(rows([late], 2e-6)).toEqual(["- 0 malloc: 1,4 as 1,4", "- 1 malloc: 2 as 2", "- 0 free: 0 as 3"]);
});

test("processes are in order of time from the first one's start", () => {
  const second: AllocationLog = {
    ...log,
    allocations: { ...log.allocations, length: 4 },
    started: log.started + 1500n,
  };
  expect(rows([log, second], 3e-6)).toEqual([
    "1 0 malloc: 1,2 as 1,2",
    "2 0 malloc: 1,2 as 3,5",
    "1 0 free: 0 as 4",
    "1 1 malloc: 4 as 6",
    "2 1 free: 0 as 7",
    "2 1 malloc: 4 as 8",
  ]);
});

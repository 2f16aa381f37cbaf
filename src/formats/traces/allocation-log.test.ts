import fc from "fast-check";
import { expect, test } from "vitest";
import { allocationLog } from "../../../test/fakes/allocation-log.ts";
import { Failure } from "../../core/failures/failure.ts";
import { allocationCalls, decodeAllocationLog, type AllocationLog } from "./allocation-log.ts";

const calls = [
  { call: "malloc", amount: 8, address: 2 ** 47 - 16 },
  { call: "realloc", amount: 16, address: 64 },
  { call: "free", amount: 0, address: 64 },
] as const;

const first = (log: AllocationLog, list: "nanoseconds" | "amounts" | "addresses"): number[] => [
  ...log.allocations[list].subarray(0, log.allocations.length),
];
const namesOf = ({ allocations }: AllocationLog): string[] =>
  Array.from(allocations.calls.subarray(0, allocations.length), (call) => allocationCalls[call]!);

test("reads each call with its time and its stack", () => {
  const log = decodeAllocationLog(allocationLog(calls));
  expect(log).toMatchObject({
    process: 7,
    session: 6,
    started: 5_000_000_000n,
    stopped: null,
    allocations: { length: 3 },
  });
  expect(namesOf(log)).toEqual(calls.map(({ call }) => call));
  expect([first(log, "amounts"), first(log, "addresses")]).toEqual([
    calls.map(({ amount }) => amount),
    calls.map(({ address }) => address),
  ]);
  expect(first(log, "nanoseconds")).toEqual([0, 1000, 2000]);
  expect(log.stacks[log.allocations.stacks[0]!]).toEqual({
    addresses: [0x1234n, 0x2345n],
    modules: [{ path: "/project/work", bias: 0x1000n, lowest: 0x1000n, highest: 0x9000n }],
  });
});

test("reports why the end is missing", () => {
  expect(decodeAllocationLog(allocationLog(calls, 1)).stopped).toBe("limit");
  expect(decodeAllocationLog(allocationLog(calls, 2)).stopped).toBe("disk");
  expect(decodeAllocationLog(new Uint8Array())).toMatchObject({ allocations: { length: 0 }, stopped: "disk" });
});

test("continues in the next window after the last record of one", () => {
  const [first, second] = [allocationLog(calls.slice(0, 1)), allocationLog(calls.slice(1))];
  const rest = new Uint8Array(1 << 20);
  rest.set(second.subarray(32));
  const both = new Uint8Array(2 << 20);
  both.set(first);
  both.set(rest, 1 << 20);
  expect(namesOf(decodeAllocationLog(both))).toEqual(["malloc", "realloc", "free"]);
});

test("damaged bytes end in a Failure", () => {
  const log = allocationLog(calls).subarray(0, 400);
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(399), fc.nat(255)), { minLength: 1, maxLength: 6 }),
      fc.nat(400),
      (changes, length) => {
        const bytes = log.slice(0, length);
        for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value;
        try {
          decodeAllocationLog(bytes);
        } catch (error) {
          expect(error).toBeInstanceOf(Failure);
        }
      },
    ),
    { seed: 1, numRuns: 2000 },
  );
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  arbitrarySamples,
  bytesOf,
  foldedName,
  inPieces,
  plainSamples,
  profileOfSamples,
} from "../../../test/contracts/arbitrary-stacks.ts";
import type { StackProfile } from "../../core/profiles/stack-profile.ts";
import { foldedText, readFolded } from "../../formats/stacks/folded.ts";
import { decodeProfile, encodeProfile, normaliseProfile } from "../../formats/profile/profile.ts";
import { stackRun } from "../../formats/stacks/stack-rows.ts";
import { runStacks } from "./run-stacks.ts";

const types = [
  { name: "samples", unit: "count" },
  { name: "cpu", unit: "nanoseconds" },
];
const labels = [["thread", ["t"]]] as const;
const main = { function: "main", source: "a.c", line: 9 };

function run(rows: readonly object[], units: object = { memory: "B" }) {
  const all = rows.map((row, at) => [`t#${at}`, { type: "memory", ...row }] as const);
  const document = {
    resources: Object.fromEntries(all.map(([id], at) => [id, { amount: [at + 1, 10] }])),
    resource_type_map: Object.fromEntries(all),
    header: { type: "memory", cmd: "./a", workload: "w", units },
  };
  return decodeProfile(new TextEncoder().encode(JSON.stringify(document)));
}

test("a stored profile of another program yields its original stacks", () => {
  const samples = [
    { calls: [main, { function: "f", module: { path: "x.so" } }], values: [1, 10], labels },
    { calls: [main], values: [2, 0.5], labels: [] },
    { calls: [{ function: "f" }, { function: "f" }], values: [0, 3], labels },
  ];
  const stored = decodeProfile(
    encodeProfile(stackRun(profileOfSamples(samples, types, 1), "pprof", "/project"), "pending"),
  );
  const again = runStacks(stored);
  expect(again.types).toEqual([types[1], { ...types[0], unit: "count" }]);
  const swapped = samples.map((sample) => ({ ...sample, values: sample.values.toReversed() }));
  expect(plainSamples(again)).toEqual(plainSamples(profileOfSamples(swapped, types)));
});

test("stored stacks that are estimated stay so", () => {
  const samples = [{ calls: [main], values: [1, 2], labels: [] }];
  const estimated = { ...profileOfSamples(samples, types), facts: { estimated: true } } as const;
  const stored = (profile: StackProfile) =>
    runStacks(decodeProfile(encodeProfile(stackRun(profile, "callgrind", "/project"), "pending"))).facts;
  expect(stored(estimated)).toEqual({ estimated: true });
  expect(stored(profileOfSamples(samples, types))).toEqual({});
});

test("stored folded stacks stay the same", async () => {
  const frame = foldedName.map((name) => ({ function: name }));
  const amount = fc.oneof(fc.integer({ min: 1, max: 1e15 }), fc.double({ noNaN: true, min: 1e-3, max: 1e6 }));
  await fc.assert(
    fc.asyncProperty(arbitrarySamples(frame, amount, 1, fc.constant([])), async (samples) => {
      const text = [...foldedText(profileOfSamples(samples, [types[0]!]), 0)].join("");
      const read = await readFolded(inPieces(bytesOf(text)), "f");
      const kept = decodeProfile(
        normaliseProfile(encodeProfile(stackRun(read, "folded", "/project"), "pending"), "f").body,
      );
      expect([...foldedText(runStacks(kept), 0)].join("")).toBe(text);
    }),
  );
});

describe("rows of collectors", () => {
  test("a uid outside of the trace is the innermost call; freed memory is omitted", () => {
    const rows = [
      { uid: { func: "spin" }, trace: [main] },
      { uid: "alone" },
      { uid: "gone", subtype: "free" },
      { uid: main, trace: [main] },
    ];
    const profile = runStacks(run(rows));
    expect(plainSamples(profile)).toEqual(
      plainSamples(
        profileOfSamples(
          [
            { calls: [main, { function: "spin" }], values: [11], labels: [] },
            { calls: [{ function: "alone" }], values: [12], labels: [] },
            { calls: [main], values: [14], labels: [] },
          ],
          [{ name: "x", unit: "count" }],
        ),
      ),
    );
    expect([profile.types, profile.facts.command]).toEqual([[{ name: "memory", unit: "bytes" }], "./a w"]);
  });

  test("rejects rows of several quantities unless one is selected", () => {
    const rows = [
      { uid: "a", type: "mixed", subtype: "cycles" },
      { uid: "a", type: "mixed", subtype: "faults" },
    ];
    expect(() => runStacks(run(rows))).toThrow(/cycles, faults/);
    const profile = runStacks(run(rows), "faults");
    expect([profile.types[0]?.name, profile.samples.valueOf(0, 0)]).toEqual(["faults", 12]);
  });
});

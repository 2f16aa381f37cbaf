import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import type { StackProfile } from "../../../core/profiles/stack-profile.ts";
import { foldedText } from "../folded.ts";
import { readJfr } from "./jfr.ts";

const bytes = new Uint8Array(gunzipSync(readFileSync("test/samples/profiles/planted.jfr.gz")));

function totals({ samples, types }: StackProfile): number[] {
  return types.map((_, type) =>
    Array.from({ length: samples.length }, (_, row) => samples.valueOf(row, type)).reduce((a, b) => a + b, 0),
  );
}

/** Samples by their innermost function. */
function innermost({ samples, stacks }: StackProfile): Record<string, number> {
  const counts: Record<string, number> = {};
  for (let row = 0; row < samples.length; row++) {
    const count = samples.valueOf(row, 0);
    const name = stacks.framesOf(samples.stackOf(row))[0]?.function ?? "";
    if (count > 0) counts[name] = (counts[name] ?? 0) + count;
  }
  return counts;
}

test("the samples are those that `jfr print` counts, by innermost method and in bytes", () => {
  const profile = readJfr(bytes, "f");
  expect(profile.types.map(({ name }) => name)).toEqual(["samples", "alloc_space"]);
  expect(innermost(profile)).toEqual({ "Planted.inner": 66, "Planted.side": 37, "Planted.outer": 8 });
  expect(totals(profile)).toEqual([111, 3388017440]);
  expect([...foldedText(profile, 0)].join("")).toContain("Planted.main;Planted.outer;Planted.inner 66\n");
  expect([...profile.samples.labelsOf(0)]).toEqual([["thread", ["main"]]]);
});

test("chunks are summed, each with its own constants", () => {
  const two = readJfr(Uint8Array.from([...bytes, ...bytes]), "f");
  expect(totals(two)).toEqual([222, 2 * 3388017440]);
  expect(two.facts.duration).toBe(2 * readJfr(bytes, "f").facts.duration!);
});

test.each([
  ["a chunk is not complete", bytes.subarray(0, bytes.length - 1)],
  ["a chunk has no header", Uint8Array.from([...bytes, 0])],
  ["version 9 is not supported", bytes.map((byte, at) => (at === 5 ? 9 : byte))],
])("it is refused if %s", (reason, damaged) => {
  expect(() => readJfr(damaged, "some.jfr")).toThrow(`some.jfr: invalid or incomplete JFR profile: ${reason}`);
});

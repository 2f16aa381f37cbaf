import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { parseUnit } from "../../core/values/unit.ts";
import { blockOfProfile, type SampleBlock, type SampledSubject } from "../../query/series/sample-block.ts";
import { AnswerCache } from "../../store/cache/answer-cache.ts";
import { BlockPacking } from "./profile-samples.ts";

let folder: string;

beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "perfkeep-packing-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const opened = (): BlockPacking => new BlockPacking(new AnswerCache(folder), 1);

/** A block with a value of each of these locations. */
function block(...locations: readonly string[]): SampleBlock {
  const state = { machine: null, disturbance: null, clock: null, canary: null, hasCalls: false };
  const samples = locations.map((location, at) => {
    const names = { key: location, benchmark: location, location, metric: "time" };
    return { subject: { ...names, unit: undefined, better: undefined, isGrowth: false }, values: Float64Array.of(at) };
  });
  return blockOfProfile(state, samples);
}

test("blocks of equal subjects share one stored list", () => {
  const packing = opened();
  const blocks = [block("a", "b"), block("a", "b"), block("a")].map((each) => packing.shared(each));
  expect(blocks[1]?.subjects).toBe(blocks[0]?.subjects);
  const packed = blocks.map((each) => packing.functions.pack(each));
  expect(readdirSync(folder)).toHaveLength(2);
  const other = opened();
  const restored = packed.map((each) => other.functions.unpack(each));
  expect(restored).toEqual(blocks);
  expect(restored[1]?.subjects).toBe(restored[0]?.subjects);
  expect(other.shared(block("a", "b")).subjects).toBe(restored[0]?.subjects);
});

const differences: readonly Partial<SampledSubject>[] = [
  { key: "other" },
  { benchmark: "other" },
  { location: "other" },
  { metric: "other" },
  { unit: parseUnit("s") },
  { better: "lower" },
  { isGrowth: true },
  { workload: { facts: new Map(), configuration: ["c"], location: "l", words: "w" } },
];

test.each(differences.map((difference) => ({ difference })))(
  "a list of subjects that differs in $difference is another one",
  ({ difference }) => {
    const packing = opened();
    const first = packing.shared(block("a", "b"));
    const { subjects, ...rest } = block("a", "b");
    const other = packing.shared({
      ...rest,
      subjects: [subjects[0]!, { ...subjects[1]!, ...difference }],
    });
    expect(other.subjects).not.toBe(first.subjects);
    expect(opened().functions.unpack(packing.functions.pack(other))).toEqual(other);
  },
);

test("a block whose subjects are no longer stored is missing", () => {
  const packed = opened().functions.pack(block("a", "b"));
  rmSync(folder, { recursive: true });
  expect(opened().functions.unpack(packed)).toBeUndefined();
});

test("the size of shared subjects counts once", () => {
  const { size } = opened().functions;
  const one = block("a", "b");
  expect(size(one) - size({ ...one, machines: [null] })).toBe(400);
});

import fc from "fast-check";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { ListedProfile } from "../../core/profiles/listed-profile.ts";
import { normaliseProfile, OpenProfile } from "../../formats/profile/profile.ts";
import type { SampleBlock } from "../../query/series/sample-block.ts";
import { AnswerCache } from "../../store/cache/answer-cache.ts";
import type { OpenComparable } from "../../workspace/profiles/read-run.ts";
import { ProfileSampler } from "./profile-sampler.ts";
import { BlockPacking } from "./profile-samples.ts";
import { StoredLayouts } from "./stored-layouts.ts";

let folder: string;

beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "perfkeep-layouts-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** What a profile measured, and whatever else its samples depend on. */
interface Measured {
  readonly amounts: readonly (number | null)[];
  readonly uids?: readonly string[];
  readonly type?: string;
  readonly subtype?: string;
  readonly unit?: string;
  readonly collector?: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly regions?: Readonly<Record<string, unknown>>;
  /** Members of each resource. */
  readonly more?: Readonly<Record<string, unknown>>;
  readonly cmd?: string;
  /** Whether the path of the project is part of sources. */
  readonly hasPaths?: boolean;
}

const listed = ({ cmd = "./tool", collector = "time" }: Measured): ListedProfile => {
  const names = { name: "a.perf", type: "time", cmd, workload: "w", collector, postprocessors: [] };
  return { ...names, time: 1, object: "0".repeat(40) };
};

function bodyOf({
  amounts,
  uids = ["f", "g"],
  type = "time",
  subtype = "real",
  more = {},
  ...own
}: Measured): Uint8Array {
  const resources = amounts.map((amount, at) => ({ uid: uids[at % uids.length], type, subtype, ...more, amount }));
  const document = {
    origin: "0".repeat(40),
    header: { type, cmd: own.cmd ?? "./tool", workload: "w", units: { [type]: own.unit ?? "s" } },
    collector_info: { name: own.collector ?? "time", params: own.params ?? {} },
    postprocessors: [],
    ...own.regions,
    global: { time: "0.0", resources },
  };
  return normaliseProfile(new TextEncoder().encode(JSON.stringify(document)), "a.perf").body;
}

/** The block of a profile, and whether its properties were decoded. `program`: undefined: without stored layouts. */
function read(measured: Measured, program: string | undefined = "1"): { block: SampleBlock; isDecoded: boolean } {
  let isDecoded = false;
  const open = (): OpenComparable => {
    const profile = new OpenProfile(bodyOf(measured));
    const whole: OpenComparable["whole"] = (memory) => {
      isDecoded = true;
      return profile.whole(memory);
    };
    const { numbers, properties } = profile;
    const hasStoredSources = measured.hasPaths !== true;
    return { numbers, properties, isKnownIn: (memory) => profile.isKnownIn(memory), hasStoredSources, whole };
  };
  const cache = new AnswerCache(folder);
  const stored = program === "none" ? undefined : new StoredLayouts(cache, new BlockPacking(cache, 1), program, 1);
  return { block: new ProfileSampler(open, stored).blockOf(listed(measured)), isDecoded };
}

const plain = (measured: Measured): SampleBlock => read(measured, "none").block;

const first: Measured = { amounts: [1, 2] };

test("the properties of a profile are decoded once for all commands", () => {
  expect(read(first)).toEqual({ block: plain(first), isDecoded: true });
  const next = { amounts: [3, 4.5] };
  expect(read(next)).toEqual({ block: plain(next), isDecoded: false });
  expect([...read(next).block.values]).toEqual([3, 4.5]);
});

const others: readonly Measured[] = [
  { amounts: [3] },
  { amounts: [3, 4, 5] },
  { amounts: [3, 4], uids: ["f", "h"] },
  { amounts: [3, 4], uids: ["g", "f"] },
  { amounts: [3, 4], type: "memory" },
  { amounts: [3, 4], subtype: "user" },
  { amounts: [3, 4], unit: "ms" },
  { amounts: [3, 4], collector: "command" },
  { amounts: [3, 4], params: { from: "pytest" } },
  { amounts: [3, 4], regions: { generator: { columns: ["n"] } } },
  { amounts: [3, 4], more: { "peak-memory": 7 } },
  { amounts: [3, 4], more: { better: "higher" } },
  { amounts: [3, 4], more: { workload: "large" } },
  { amounts: [3, 4], more: { trace: [{ func: "main" }] } },
  { amounts: [3, 4], more: { "structure-unit-size": 8 } },
  { amounts: [3, null] },
  { amounts: [3, 4], cmd: "./other" },
  { amounts: [3, 4], hasPaths: true },
];

test.each(others.map((other) => ({ other })))("$other does not have the layout of the first one", ({ other }) => {
  read(first);
  expect(read(other)).toEqual({ block: plain(other), isDecoded: true });
});

test("another version of the program decodes again", () => {
  read(first);
  expect(read(first, "2").isDecoded).toBe(true);
});

test("states of the machine are those of each profile", () => {
  read(first);
  const next = { amounts: [3, 4], regions: { machine: { fingerprint: "m", cpu: { total: 2 } }, noise: { load: 9 } } };
  const { block, isDecoded } = read(next);
  expect(isDecoded).toBe(false);
  expect(block).toEqual(plain(next));
  expect(block.disturbances).toEqual([{ kind: "load", text: "load 9 on 2 processors" }]);
});

test("calls are remembered", () => {
  const called = { amounts: [1, 2], more: { trace: [{ func: "main" }] } };
  read(called);
  expect(read({ ...called, amounts: [5, 6] })).toEqual({
    block: plain({ ...called, amounts: [5, 6] }),
    isDecoded: false,
  });
});

test("damaged, incomplete and missing cache files are ignored", () => {
  read(first);
  const files = readdirSync(folder).map((name) => join(folder, name));
  expect(files).toHaveLength(2);
  const next = { amounts: [3, 4] };
  for (const file of files) {
    const bytes = readFileSync(file);
    for (const damaged of [
      bytes.subarray(0, bytes.length - 1),
      bytes.subarray(0, 10),
      bytes.map((byte, at) => (at === bytes.length - 3 ? byte ^ 1 : byte)),
      new Uint8Array(0),
    ]) {
      writeFileSync(file, damaged);
      expect(read(next)).toEqual({ block: plain(next), isDecoded: true });
      expect(read(next).isDecoded).toBe(false);
    }
    rmSync(file);
    expect(read(next)).toEqual({ block: plain(next), isDecoded: true });
  }
});

test("profiles of any kind have the samples of those read alone", () => {
  const kinds = fc.constantFrom(first, ...others);
  const history = fc.array(fc.tuple(kinds, fc.integer({ min: 1, max: 99 })), { minLength: 2, maxLength: 6 });
  let found = 0;
  const property = fc.property(history, (all) => {
    for (const [kind, more] of all) {
      const measured = { ...kind, amounts: kind.amounts.map((amount) => (amount === null ? null : amount * more)) };
      const { block, isDecoded } = read(measured);
      expect(block).toEqual(plain(measured));
      if (!isDecoded) found += 1;
    }
  });
  fc.assert(property, { seed: 5, numRuns: 100 });
  expect(found).toBeGreaterThan(50);
});

import fc from "fast-check";
import { deserialize, serialize } from "node:v8";
import { expect, it } from "vitest";
import type { VersionId } from "../../core/versions/digest.ts";
import { WorkloadNames } from "../../core/profiles/profile-subject.ts";
import type { Series } from "../../core/measurements/series.ts";
import { parseUnit } from "../../core/values/unit.ts";
import { lineOf } from "./line.ts";
import { BlockAdder, namesIn } from "./block-adder.ts";
import {
  blockOfProfile,
  concatenateBlocks,
  restoredBlock,
  type Sample,
  type SampleBlock,
  storedBlock,
  type StoredBlock,
} from "./sample-block.ts";
import { SeriesBuilder } from "./series-builder.ts";

const units = [parseUnit("s"), parseUnit("ms"), parseUnit("B"), undefined];
const growth = { name: "n", exponent: 1, low: 0.9, high: 1.1, rSquared: 1 };

/** A profile: version, machine, and a few values of some of five subjects. */
const profile = fc.record({
  version: fc.integer({ min: 0, max: 6 }),
  machine: fc.constantFrom("a", "a", "a", "b", null),
  samples: fc.uniqueArray(
    fc.record({
      name: fc.integer({ min: 0, max: 4 }),
      unit: fc.constantFrom(0, 0, 0, 0, 0, 1, 2, 3),
      values: fc.oneof(
        fc.tuple(fc.nat(99)),
        fc.tuple(fc.nat(99)),
        fc.array(fc.nat(99), { minLength: 1, maxLength: 3 }),
      ),
      isGrowth: fc.constantFrom(false, false, false, true),
      size: fc.constantFrom("", "", "", "1", "2"),
    }),
    { selector: ({ name, size }) => `${name} ${size}` },
  ),
});

type Profile = typeof profile extends fc.Arbitrary<infer T> ? T : never;

function samplesOf({ samples }: Profile): Sample[] {
  return samples.map(({ name, unit, values, isGrowth, size }) => {
    const workload = { configuration: ["c"], location: `f${name}`, words: "c" };
    const subject = {
      ...(size === "" ? {} : { workload: { ...workload, facts: new Map([["size", size]]) } }),
      key: `key ${name}`,
      benchmark: `b${name}`,
      location: `f${name}`,
      metric: "time",
      unit: units[unit],
      better: undefined,
      isGrowth,
    };
    return { subject, values: Float64Array.from(values), ...(isGrowth ? { growth } : {}) };
  });
}

const versionOf = ({ version }: Profile): VersionId => version.toString(16).padStart(40, "0") as VersionId;

/** Adds each sample of each profile in order. */
function plainly(profiles: readonly Profile[]): SeriesBuilder {
  const builder = new SeriesBuilder();
  const names = new WorkloadNames(profiles.flatMap((each) => samplesOf(each).map(({ subject }) => subject)));
  for (const [at, each] of profiles.entries()) {
    for (const { subject, values, growth: model } of samplesOf(each)) {
      if (subject.location === "f3") continue;
      const { metric, unit, isGrowth } = subject;
      const measured = {
        source: "profile",
        ...names.of(subject, subject.workload),
        metric,
        unit,
        better: isGrowth ? undefined : "higher",
      } as const;
      builder.add(measured, { version: versionOf(each), machine: each.machine }, `object ${at}`, values, model);
    }
  }
  return builder;
}

/** A block that was stored next to its subjects. */
function stored(block: SampleBlock): SampleBlock {
  const [own, subjects] = deserialize(serialize([storedBlock(block, "all"), block.subjects])) as [
    StoredBlock,
    SampleBlock["subjects"],
  ];
  return restoredBlock(own, subjects);
}

/** Adds blocks of `size` profiles, concatenated in two steps. */
function byBlocks(profiles: readonly Profile[], size: number): SeriesBuilder {
  const builder = new SeriesBuilder();
  const blocks: { readonly block: SampleBlock; readonly from: number }[] = [];
  for (let from = 0; from < profiles.length; from += size) {
    const own = profiles.slice(from, from + size);
    const singles = own.map((each) =>
      blockOfProfile(
        { machine: each.machine, disturbance: null, clock: null, canary: null, hasCalls: false },
        samplesOf(each),
      ),
    );
    const halves = [singles.slice(0, size >> 1), singles.slice(size >> 1)]
      .filter((part) => part.length > 0)
      .map(concatenateBlocks);
    blocks.push({ block: stored(concatenateBlocks(halves)), from });
  }
  const names = namesIn(blocks.map(({ block }) => block));
  const adder = new BlockAdder(builder, { isWanted: (location) => location !== "f3", better: "higher", names });
  for (const { block, from } of blocks) {
    const own = profiles.slice(from, from + size);
    const positions = own.map((each, at) => ({ version: versionOf(each), machine: block.machines[at] ?? null }));
    const evidence = own.map((_, at) => `object ${from + at}`);
    adder.add(block, { origins: positions, evidence });
  }
  return builder;
}

const lines = (all: readonly Series[]) =>
  all.map((series) => [
    series.subject.key,
    [...lineOf(series).values],
    lineOf(series).origins.map(({ version, machine }) => [version, machine]),
  ]);
const points = (all: readonly Series[]) => all.map((series) => ({ subject: series.subject, points: series.points }));

it("series of blocks equal those of the profiles added one by one", () => {
  const history = fc.array(profile, { maxLength: 24 }).chain((profiles) =>
    fc.constantFrom(
      profiles,
      profiles.toSorted((a, b) => a.version - b.version),
    ),
  );
  const property = fc.property(history, fc.integer({ min: 1, max: 9 }), (profiles, size) => {
    const [plain, blocks] = [plainly(profiles), byBlocks(profiles, size)];
    expect(lines(blocks.series())).toEqual(lines(plain.series()));
    expect(points(blocks.series())).toEqual(points(plain.series()));
    expect(blocks.notes()).toEqual(plain.notes());
  });
  fc.assert(property, { seed: 31, numRuns: 400 });
});

it("blocks of the same subjects with one value each are concatenated and stored like others", () => {
  const subjects = samplesOf(regular(0, 3)).map(({ subject }) => subject);
  const singles = [0, 1, 2, 3, 4].map((version) => {
    const state = { machine: null, disturbance: null, clock: null, canary: null, hasCalls: false };
    const block = blockOfProfile(state, samplesOf(regular(version, 3)));
    return { other: block, same: { ...block, subjects } };
  });
  const halves = (of: "other" | "same"): SampleBlock =>
    concatenateBlocks(
      [singles.slice(0, 2), singles.slice(2)].map((all) => concatenateBlocks(all.map((each) => each[of]))),
    );
  const [general, fast] = [halves("other"), halves("same")];
  expect(fast).toEqual(general);
  expect(fast.subjects).toBe(subjects);
  expect(storedBlock(fast, "a").shape).toBeNull();
  expect(stored(fast)).toEqual(fast);
  expect(stored(general)).toEqual(general);
});

/** A profile with one value of each of the first `count` subjects. */
function regular(version: number, count: number): Profile {
  const sample = (name: number) => ({ name, unit: 0, values: [name + version], isGrowth: false, size: "" }) as const;
  return { version, machine: "a", samples: Array.from({ length: count }, (_, name) => sample(name)) } as Profile;
}

it("series with the same origins share them, without creating points", () => {
  const profiles = Array.from({ length: 20 }, (_, version): Profile => {
    return {
      version,
      machine: "a",
      samples: [0, 1, 2].map((name) => ({ name, unit: 0, values: [name + version], isGrowth: false, size: "" })),
    };
  });
  const [first, second] = byBlocks(profiles, 8)
    .series()
    .map((series) => series.columns);
  expect(first?.origins).toHaveLength(20);
  expect(second?.origins).toBe(first?.origins);
});

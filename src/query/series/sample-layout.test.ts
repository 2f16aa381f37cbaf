import fc from "fast-check";
import { expect, it } from "vitest";
import type { Run } from "../../core/profiles/index.ts";
import { decodeProfile, normaliseProfile } from "../../formats/profile/profile.ts";
import { ProfileMemory } from "../../formats/profile/profile-memory.ts";
import { SampleLayout, SampleLayouts } from "./sample-layout.ts";

/** A resource; undefined: absent. */
const resource = fc.record({
  uid: fc.constantFrom("f", "g", "h"),
  subtype: fc.constantFrom("real", "user", "sys", "misses", undefined),
  amount: fc.oneof(fc.integer({ min: 0, max: 9 }), fc.constantFrom(null, 1.5)),
  "peak-memory": fc.option(fc.nat(9), { nil: undefined, freq: 1 }),
  workload: fc.constantFrom(undefined, undefined, undefined, "a", "b"),
});

/** The resources of a profile, and the unit of its amounts. */
interface Profile {
  readonly resources: readonly (typeof resource extends fc.Arbitrary<infer T> ? T : never)[];
  readonly unit: string;
}

function decoded({ resources, unit }: Profile, memory?: ProfileMemory): Run {
  const document = {
    origin: "0".repeat(40),
    header: { type: "time", cmd: "./tool", workload: "w", units: { time: unit } },
    collector_info: { name: "time", params: {} },
    postprocessors: [],
    global: { time: "0.0", resources: resources.map((own) => ({ ...own, type: "time" })) },
  };
  const bytes = new TextEncoder().encode(JSON.stringify(document));
  return decodeProfile(normaliseProfile(bytes, "a.perf").body, "a.perf", memory);
}

const samplesIn = (layout: SampleLayout, run: Run): unknown => [
  layout.metrics,
  [...layout.ends],
  [...layout.valuesOf(run)],
];

it("layouts that profiles share have the samples of those read alone", () => {
  const lists = fc.array(fc.array(resource, { maxLength: 6 }), { minLength: 1, maxLength: 2 });
  const history = lists.chain((all) => {
    const changes = { more: fc.nat(9), unit: fc.constantFrom("s", "s", "s", "ms"), isPartial: fc.nat(5) };
    return fc.array(fc.record({ resources: fc.constantFrom(...all), ...changes }), { minLength: 2, maxLength: 8 });
  });
  let shared = 0;
  const property = fc.property(history, (all) => {
    const [memory, layouts] = [new ProfileMemory(), new SampleLayouts()];
    const seen = new Set<SampleLayout>();
    for (const { resources, more, unit, isPartial } of all) {
      const amounts = resources.map(({ amount, ...own }, at) => {
        return { ...own, amount: amount === null || (isPartial === 0 && at === 0) ? null : amount + more };
      });
      const [run, alone] = [decoded({ resources: amounts, unit }, memory), decoded({ resources: amounts, unit })];
      expect(run).toEqual(alone);
      const layout = layouts.of(run);
      if (seen.has(layout)) shared += 1;
      seen.add(layout);
      expect(samplesIn(layout, run)).toEqual(samplesIn(new SampleLayout(alone), alone));
    }
  });
  fc.assert(property, { seed: 11, numRuns: 400 });
  expect(shared).toBeGreaterThan(100);
});

it("profiles that differ in their numbers only share a layout", () => {
  const of = (amount: number): Profile => {
    const own = { subtype: "real", "peak-memory": undefined, workload: undefined } as const;
    return { unit: "s", resources: (["f", "g"] as const).map((uid) => ({ uid, amount, ...own })) };
  };
  const [memory, layouts] = [new ProfileMemory(), new SampleLayouts()];
  const [first, second] = [decoded(of(1), memory), decoded(of(2), memory)];
  expect(second.data.groups).toBe(first.data.groups);
  expect(layouts.of(second)).toBe(layouts.of(first));
  expect([...layouts.of(second).valuesOf(second)]).toEqual([2, 2]);
});

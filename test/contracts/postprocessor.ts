import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isFailure } from "../../src/core/failures/failure.ts";
import { isObject, JsonNumber, jsonObject, type JsonObject } from "../../src/core/values/json.ts";
import type { Run } from "../../src/core/profiles/run.ts";
import type { Values } from "../../src/core/values/value.ts";
import { profileOf } from "../../src/formats/profile/build-profile.ts";
import { decodeProfile, encodeProfile } from "../../src/formats/profile/profile.ts";
import type { Postprocessor } from "../../src/plugins/postprocessors/postprocessor.ts";

export type Pairs = readonly (readonly [x: number, y: number])[];

/** A profile of amounts by size, one location for each key. */
export function pointsRun(locations: Readonly<Record<string, Pairs>>): Run {
  return profileOf({
    type: "mixed",
    cmd: "./sort",
    workload: "",
    units: { mixed: "us" },
    collector: { name: "complexity", params: jsonObject({}) },
    subjects: Object.entries(locations).map(([uid, pairs]) => ({
      properties: jsonObject({ type: "mixed", uid }),
      columns: [
        { name: "structure-unit-size", type: "float", values: pairs.map(([x]) => x) },
        { name: "amount", type: "float", values: pairs.map(([, y]) => y) },
      ],
    })),
  });
}

/** A function at 1, 2, …, `count`. */
export function curve(count: number, f: (x: number) => number): Pairs {
  return Array.from({ length: count }, (_, i) => [i + 1, f(i + 1)] as const);
}

/** The last model of a run as plain values: numbers as numbers, everything else as it is. */
export function lastModel(run: Run): Record<string, unknown> {
  const model = run.models.at(-1);
  const plain = (json: unknown): unknown =>
    json instanceof JsonNumber
      ? json.value
      : Array.isArray(json)
        ? json.map(plain)
        : isObject(json as JsonObject)
          ? fields(json as JsonObject)
          : json;
  const fields = (object: JsonObject): Record<string, unknown> =>
    Object.fromEntries([...object].map(([key, value]) => [key, plain(value)]));
  return isObject(model) ? fields(model) : {};
}

const number = fc.oneof(
  fc.double({ noDefaultInfinity: true, noNaN: true }),
  fc.integer({ min: -5, max: 5 }),
  fc.constantFrom(0, 1e308, -1e308, 5e-324),
);

/** What every postprocessor does, in each of the ways of working that are given. */
export function postprocessorContract(unit: Postprocessor, ways: readonly Values[]): void {
  describe.each(
    ways.map(
      (options) =>
        [[...options].map(([name, value]) => `${name} ${String(value)}`).join(", ") || "as it comes", options] as const,
    ),
  )(`postprocessor ${unit.name}, %s`, (_, options) => {
    const base = pointsRun({ swap: curve(40, (x) => 3 * x + Math.sin(x)), main: curve(20, (x) => x * x) });

    it("is frozen, and each flag leads to options that it has", () => {
      const names = unit.options.map(({ name }) => name);
      expect(Object.isFrozen(unit)).toBe(true);
      for (const name of Object.values(unit.spellings).flat()) expect(names).toContain(name.replace(/^--(no-)?/, ""));
      for (const name of [...(unit.modes?.of.values() ?? [])].flat()) expect(names).toContain(name);
    });

    it("leaves the run as it is, and tells what it did at the end of the steps", () => {
      const before = structuredClone(encodeProfile(base));
      const after = unit.apply(base, options);
      expect(encodeProfile(base)).toEqual(before);
      expect(after.steps.slice(0, -1)).toEqual(base.steps);
      expect(after.steps.at(-1)).toMatchObject({ kind: "postprocessor", name: unit.recorded });
      expect(after.fixed).toEqual(base.fixed);
    });

    it("gives the same again, which a profile keeps", () => {
      const after = unit.apply(base, options);
      expect(encodeProfile(unit.apply(base, options))).toEqual(encodeProfile(after));
      expect(encodeProfile(decodeProfile(encodeProfile(after)))).toEqual(encodeProfile(after));
    });

    it("adds to what another step added", () => {
      const once = unit.apply(base, options);
      const twice = unit.apply(once, options);
      expect(twice.models.slice(0, once.models.length)).toEqual(once.models);
      expect(twice.steps.length).toBe(base.steps.length + 2);
    });

    it("makes something of any points, or refuses them", () => {
      const pairs = fc.array(fc.tuple(number, number), { maxLength: 12 });
      fc.assert(
        fc.property(pairs, pairs, (one, other) => {
          try {
            encodeProfile(
              unit.apply(
                pointsRun({ ...(one.length > 0 ? { one } : {}), ...(other.length > 0 ? { other } : {}) }),
                options,
              ),
            );
          } catch (error) {
            if (!isFailure(error)) throw error;
          }
        }),
        { numRuns: 25 },
      );
    }, 60_000);
  });
}

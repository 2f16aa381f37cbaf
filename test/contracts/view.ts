import { describe, expect, it } from "vitest";
import { isFailure } from "../../src/core/failures/failure.ts";
import { JsonNumber, jsonObject, type Json } from "../../src/core/values/json.ts";
import type { Run } from "../../src/core/profiles/run.ts";
import type { Values } from "../../src/core/values/value.ts";
import { profileOf } from "../../src/formats/profile/build-profile.ts";
import type { View } from "../../src/plugins/views/view.ts";

/** A run with two subjects of nested uids and a fitted model. */
export function sampleRun(rows = 3): Run {
  const numbers = Array.from({ length: rows }, (_, i) => i);
  const run = profileOf({
    type: "time",
    cmd: "./sort",
    workload: "big.txt",
    units: { time: "ms" },
    collector: { name: "time", params: jsonObject({ repeat: JsonNumber.integer(rows) }) },
    machine: jsonObject({ host: "here", cpu: jsonObject({ physical: JsonNumber.integer(2) }) }),
    subjects: [
      {
        properties: jsonObject({ uid: jsonObject({ function: "swap", line: JsonNumber.integer(7) }), type: "time" }),
        columns: [
          { name: "amount", type: "float", values: numbers.map((i) => 10.5 - i) },
          { name: "order", type: "integer", values: numbers },
        ],
      },
      {
        properties: jsonObject({ uid: jsonObject({ function: "main", line: JsonNumber.integer(3) }), type: "time" }),
        columns: [{ name: "amount", type: "integer", values: numbers.map((i) => 100 + i) }],
      },
    ],
  });
  const coefficient = jsonObject({ name: "b0", value: JsonNumber.float(1.5) });
  const models: Json[] = [jsonObject({ model: "linear", coeffs: [coefficient], r_square: JsonNumber.float(0.9) })];
  return { ...run, models };
}

/**
 * What every view does with a sample run, drawn with each of the option sets; `runOf` makes one of so many rows, for
 * views that need certain ones.
 */
export function viewContract(
  view: View,
  optionSets: Readonly<Record<string, Values>>,
  runOf: (rows?: number) => Run = sampleRun,
): void {
  describe(`view ${view.name}`, () => {
    it("is frozen and declares its options", () => {
      expect(Object.isFrozen(view)).toBe(true);
      const names = view.options.map((option) => option.name);
      expect(new Set(names).size).toBe(names.length);
      expect(view.options.every((option) => option.synopsis !== undefined)).toBe(true);
    });

    it.each(Object.keys(optionSets))("draws %s: whole rows, the same each time", (name) => {
      const options = optionSets[name] as Values;
      const run = runOf();
      const figure = view.draw(run, options);
      expect(figure.blocks.length).toBeGreaterThan(0);
      for (const block of figure.blocks) {
        if (block.kind === "table") expect(block.rows.every((row) => row.length === block.head.length)).toBe(true);
      }
      expect(view.draw(run, options)).toEqual(figure);
      expect(run).toEqual(runOf());
    });

    it("draws a run of many rows, and says so when there are none", () => {
      expect(view.draw(runOf(20_000), new Map()).blocks.length).toBeGreaterThan(0);
      try {
        expect(view.draw(runOf(0), new Map())).toBeDefined();
      } catch (error) {
        expect(isFailure(error, "nothing-to-draw")).toBe(true);
      }
    });
  });
}

import { expect, test } from "vitest";
import type { HistoryStep } from "./history-step.ts";
import type { IndependentImport } from "./independent-imports.ts";
import { stepBatches } from "./independent-imports.ts";

/** Sizes of imports; a dot is another kind of step. */
function groups(...sizes: readonly (number | ".")[]): number[] {
  const steps = sizes.map((size) => ({
    change: size === "." ? { kind: "delete-experiment" } : { kind: "import", inputs: [{ bytes: size }] },
  }));
  const separate = { has: (step: HistoryStep): step is IndependentImport => step.change.kind === "import" };
  const all = [...stepBatches(steps as unknown as HistoryStep[], separate)];
  expect(all.flat()).toEqual(steps);
  return all.map(({ length }) => length);
}

test("adjacent imports form a batch, other steps are separate", () => {
  expect(groups()).toEqual([]);
  expect(groups(1, 2, ".", ".", 3, 4, 5)).toEqual([2, 1, 1, 3]);
});

test("batches are limited in count and bytes", () => {
  expect(groups(...Array.from({ length: 250 }, () => 10))).toEqual([100, 100, 50]);
  expect(groups(10 << 20, 6 << 20, 1, 100 << 20, 100 << 20, 1)).toEqual([2, 1, 1, 1, 1]);
});

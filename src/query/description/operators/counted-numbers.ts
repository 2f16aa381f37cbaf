import type { Bins } from "../../../math/plotting/index.ts";
import type { CountedNumbers } from "../../plan/index.ts";
import { valueOf, type VectorColumn } from "../vector.ts";
import { refuse } from "./operator.ts";

/** The present values. Fails with `query-not-possible` for non-finite ones. */
export function numbersIn(element: { readonly id: string }, column: VectorColumn, length: number): CountedNumbers {
  const found: number[] = [];
  for (let row = 0; row < length; row++) {
    const value = valueOf(column, row);
    if (value !== null) found.push(Number(value));
  }
  const sorted = Float64Array.from(found).sort();
  return finiteNumbers(element, column, { least: sorted, greatest: sorted });
}

/** Checks the ends; NaN sorts last. */
export function finiteNumbers(
  element: { readonly id: string },
  { display }: VectorColumn,
  numbers: CountedNumbers,
): CountedNumbers {
  const { least, greatest } = numbers;
  if ([least.at(0) ?? 0, least.at(-1) ?? 0, greatest.at(-1) ?? 0].every(Number.isFinite)) return numbers;
  throw refuse(element, `'${display}' has values that are not finite`, "exclude them by a limit first");
}

export function countOf({ least, counts }: CountedNumbers): number {
  return counts?.reduce((sum, count) => sum + count, 0) ?? least.length;
}

/** Bins of the numbers; undefined: some entries span several bins. */
export function binsOfCounted(
  { least, greatest, counts }: CountedNumbers,
  bins: (sorted: Float64Array, weights?: Float64Array) => Bins,
): Bins | undefined {
  const found = bins(least, counts);
  if (least === greatest) return found;
  const other = bins(greatest, counts);
  const isSame =
    found.edges.length === other.edges.length && found.counts.every((count, at) => count === other.counts[at]);
  return isSame ? found : undefined;
}

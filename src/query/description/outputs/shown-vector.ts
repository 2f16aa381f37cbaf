import type { ElementInput } from "../../../core/experiments/query-description.ts";
import type { Vector } from "../vector.ts";

/** An input of an output, with what the output says of it. */
export interface ShownVector {
  readonly vector: Vector;
  readonly attributes: ElementInput["attributes"];
}

/** Those with rows; all of them when none has any, so that their columns are told. */
export function filledOf(inputs: readonly ShownVector[]): readonly ShownVector[] {
  const filled = inputs.filter(({ vector }) => vector.length > 0);
  return filled.length === 0 ? inputs : filled;
}

/** What is said of all rows, texts without the quotes of conditions. */
export function plainLabels({ vector }: ShownVector): string[] {
  return vector.labels.map(({ text }) => unquoted(text));
}

/** `net = 'sci'` as `net = sci`; apostrophes within a content stay. */
export function unquoted(label: string): string {
  return label.replaceAll(/(^|[\s(])'([^']*)'(?=$|[\s)])/g, "$1$2");
}

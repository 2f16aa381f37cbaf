import type { ElementInput } from "../../../core/experiments/index.ts";
import type { Vector } from "../vector.ts";

/** An input of an output with its attributes. */
export interface ShownVector {
  readonly vector: Vector;
  readonly attributes: ElementInput["attributes"];
}

/** Inputs with rows; all if none has any, so that columns are still printed. */
export function filledOf(inputs: readonly ShownVector[]): readonly ShownVector[] {
  const filled = inputs.filter(({ vector }) => vector.length > 0);
  return filled.length === 0 ? inputs : filled;
}

/** The labels of all rows, without quotes. */
export function plainLabels({ vector }: ShownVector): string[] {
  return vector.labels.map(({ text }) => unquoted(text));
}

/** `net = 'sci'` as `net = sci`; keeps apostrophes within a value. */
export function unquoted(label: string): string {
  return label.replaceAll(/(^|[\s(])'([^']*)'(?=$|[\s)])/g, "$1$2");
}

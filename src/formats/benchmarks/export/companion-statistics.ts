import type { MeasuredCase, Quantity, Sample } from "../../../core/measurements/index.ts";

/** Statistics that programs report with a number. Each format supports some of them. */
export type Companion = "lower" | "upper" | "range" | "median" | "q1" | "q3";

/** The quantity that holds the companion of another one: `lower` of times, `rate_lower` of rates. */
function companionName({ name }: Pick<Quantity, "name">, companion: Companion): string {
  return name === "time" ? companion : `${name}_${companion}`;
}

/** The companion of a quantity in a case, if it exists. */
export function companionOf({ samples }: MeasuredCase, quantity: Quantity, companion: Companion): Sample | undefined {
  return samples.get(companionName(quantity, companion));
}

/** The quantities that are not companions of other ones. */
export function mainQuantities(quantities: readonly Quantity[], companions: readonly Companion[]): Quantity[] {
  const companionKeys = new Set(
    quantities.flatMap((quantity) =>
      companions.map((companion) => `${quantity.unit} ${companionName(quantity, companion)}`),
    ),
  );
  return quantities.filter(({ name, unit }) => !companionKeys.has(`${unit} ${name}`));
}

import type { MeasuredCase, Quantity, Sample } from "../../../core/measurements/measurement.ts";

/** Statistics that programs tell beside a number; which of them a format has a place for, it says itself. */
export type Companion = "lower" | "upper" | "range" | "median" | "q1" | "q3";

/** What tells `of` more precisely: `lower` of times, `rate_lower` of rates. */
function companionName({ name }: Pick<Quantity, "name">, companion: Companion): string {
  return name === "time" ? companion : `${name}_${companion}`;
}

/** What tells a quantity of this case more precisely, if it is there. */
export function companionOf({ samples }: MeasuredCase, quantity: Quantity, companion: Companion): Sample | undefined {
  return samples.get(companionName(quantity, companion));
}

/** Without those that only tell another one more precisely by these statistics. */
export function mainQuantities(quantities: readonly Quantity[], companions: readonly Companion[]): Quantity[] {
  const told = new Set(
    quantities.flatMap((quantity) =>
      companions.map((companion) => `${quantity.unit} ${companionName(quantity, companion)}`),
    ),
  );
  return quantities.filter(({ name, unit }) => !told.has(`${unit} ${name}`));
}

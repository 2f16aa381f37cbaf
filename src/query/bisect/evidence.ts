/**
 * What is known of a line of versions in which one step of level is looked for. Places count from 0, the version that
 * is known to be good, to `last`, the one that is known to be bad; one of 1..last is the first bad one.
 */
export interface Evidence {
  readonly last: number;
  readonly measurements: readonly Measurement[];
  /** Places that cannot be measured: what cannot be built, or fails. Never one of the ends. */
  readonly skipped: ReadonlySet<number>;
}

/** One independent measurement of a version, in the unit of all others; finite. */
export interface Measurement {
  readonly place: number;
  readonly value: number;
}

/** The values that were measured at one place. */
export function valuesAt({ measurements }: Evidence, place: number): Float64Array {
  return Float64Array.from(measurements.flatMap((one) => (one.place === place ? [one.value] : [])));
}

/** Places with measurements, in order. */
export function measuredPlaces({ measurements }: Evidence): number[] {
  return [...new Set(measurements.map(({ place }) => place))].sort((a, b) => a - b);
}

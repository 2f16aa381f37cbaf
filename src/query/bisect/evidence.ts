/**
 * The measurements of a line of versions with one step of level. Positions count from 0, the version known to be good,
 * to `last`, the version known to be bad; the first bad one is among 1..last.
 */
export interface Evidence {
  readonly last: number;
  readonly measurements: readonly Measurement[];
  /** Positions that cannot be measured, since their build fails, for example; never an end. */
  readonly skipped: ReadonlySet<number>;
}

/** One independent measurement of a version, in the unit of all others; finite. */
export interface Measurement {
  readonly position: number;
  readonly value: number;
}

/** The values measured at one position. */
export function valuesAt({ measurements }: Evidence, position: number): Float64Array {
  return Float64Array.from(measurements.flatMap((one) => (one.position === position ? [one.value] : [])));
}

/** Positions with measurements, ascending. */
export function measuredPositions({ measurements }: Evidence): number[] {
  return [...new Set(measurements.map(({ position }) => position))].sort((a, b) => a - b);
}

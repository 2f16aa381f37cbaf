/** A factor of a unit: a base unit with a prefix and an exponent; `KiByte` is { base: "byte", prefix: "Ki", exponent: 1 }. */
export interface UnitFactor {
  readonly base: string;
  readonly prefix: string;
  readonly exponent: number;
}

/** A product of powers of (prefixed) base units; no factors means dimensionless. Printed as `MiByte/s`, `1/s`. */
export interface Unit {
  readonly factors: readonly UnitFactor[];
}

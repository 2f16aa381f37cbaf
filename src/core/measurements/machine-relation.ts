/**
 * Whether two measurements are of the same machine, by its fingerprint; unknown: one of them does not tell where it was
 * made.
 */
export type MachineRelation = "same" | "other" | "unknown";

/**
 * Compares the fingerprints of two machines (null: none is known). Measurements of other machines decide nothing unless
 * somebody asks for it; what is unknown is compared, and told.
 */
export function sameMachine(a: string | null, b: string | null): MachineRelation {
  if (a === null || b === null) return "unknown";
  return a === b ? "same" : "other";
}

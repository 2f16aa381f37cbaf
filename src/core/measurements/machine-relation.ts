/** Whether two measurements are of the same machine, by its fingerprint; unknown: one of them has no fingerprint. */
export type MachineRelation = "same" | "other" | "unknown";

/**
 * Compares the fingerprints of two machines (null: unknown). By default, measurements of other machines are not
 * compared; unknown machines are compared, with a note.
 */
export function sameMachine(a: string | null, b: string | null): MachineRelation {
  if (a === null || b === null) return "unknown";
  return a === b ? "same" : "other";
}

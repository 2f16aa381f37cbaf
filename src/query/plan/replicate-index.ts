import type { Variable } from "../../core/variables/index.ts";

/**
 * Whether a variable is a replicate index, as imports of known formats create it: not a condition of the measurement,
 * so samples are pooled by default.
 */
export function isReplicateIndex({ name, role, type, occurrence }: Variable): boolean {
  return role === "parameter" && type === "integer" && occurrence === "multiple" && name.toLowerCase() === "sample";
}

import { namesReplicate } from "../../core/measurements/index.ts";
import type { Variable } from "../../core/variables/index.ts";

/**
 * Whether a variable is a replicate index, such as the `sample` of imports of known formats or a parameter `rep`: not a
 * condition of the measurement, so samples are pooled by default.
 */
export function isReplicateIndex({ name, role, type, occurrence }: Variable): boolean {
  return role === "parameter" && type === "integer" && occurrence === "multiple" && namesReplicate(name);
}

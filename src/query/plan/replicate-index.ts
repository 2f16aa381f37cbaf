import type { Variable } from "../../core/variables/variable.ts";

/**
 * Whether a variable numbers the samples of one result, as imports of known formats do: which repetition it was is no
 * condition under which it was measured, so that samples stay together unless somebody asks for them apart.
 */
export function isSampleNumber({ name, role, type, occurrence }: Variable): boolean {
  return role === "parameter" && type === "integer" && occurrence === "multiple" && name.toLowerCase() === "sample";
}

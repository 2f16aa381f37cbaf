import { Failure } from "../../../core/failures/index.ts";
import type { Values } from "../../../core/values/index.ts";
import type { Variable } from "../../../core/variables/index.ts";
import { collectorOption } from "../collector.ts";

/**
 * An option of Perun for a tool that perfkeep does not use. Only Perun's default value is accepted.
 */
export interface UnsupportedOption {
  readonly name: string;
  readonly type: "boolean" | "integer" | "text";
  /** Its default in Perun, which has no effect. */
  readonly ignoredValue: boolean | number | string | null;
  readonly reason: string;
  /** How to get the same; default: omit it. */
  readonly instead?: string;
  /** True if the option asks for what always happens, so that it is accepted. */
  readonly always?: true;
}

export function unsupportedVariables(unsupported: readonly UnsupportedOption[]): Variable[] {
  return unsupported.map(({ name, type, ignoredValue, reason, always }) =>
    collectorOption(name, type, ignoredValue, `${always ? "always so" : "unsupported option of Perun"}: ${reason}`),
  );
}

/** Fails with `unusable-combination` if one has another value than its default. */
export function refuseUnsupported(plugin: string, unsupported: readonly UnsupportedOption[], params: Values): void {
  const given = unsupported.find(
    ({ name, ignoredValue, always }) => always !== true && (params.get(name) ?? ignoredValue) !== ignoredValue,
  );
  if (given)
    throw new Failure("unusable-combination", {
      what: `option ${given.name} of ${plugin} is unsupported: ${given.reason}`,
      instead: given.instead ?? "omit it",
    });
}

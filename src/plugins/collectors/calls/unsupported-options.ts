import { Failure } from "../../../core/failures/failure.ts";
import type { Values } from "../../../core/values/value.ts";
import type { Variable } from "../../../core/variables/variable.ts";
import { collectorOption } from "../collector.ts";

/**
 * An option of Perun's that belongs to a tool which is not used here. It may be given as Perun has it by default, and
 * is refused otherwise.
 */
export interface RefusedOption {
  readonly name: string;
  readonly type: "boolean" | "integer" | "text";
  /** Its default in Perun, which asks for nothing. */
  readonly inert: boolean | number | string | null;
  readonly reason: string;
}

export function refusedVariables(refused: readonly RefusedOption[]): Variable[] {
  return refused.map(({ name, type, inert, reason }) =>
    collectorOption(name, type, inert, `Perun's; refused: ${reason}`),
  );
}

/** Fails with `unusable-combination` where one asks for something. */
export function refuse(plugin: string, refused: readonly RefusedOption[], params: Values): void {
  const asked = refused.find(({ name, inert }) => (params.get(name) ?? inert) !== inert);
  if (asked)
    throw new Failure("unusable-combination", {
      what: `option ${asked.name} of ${plugin} has no meaning here: ${asked.reason}`,
      instead: "leave it out",
    });
}

import type { VersionId } from "../versions/digest.ts";
import type { Json, JsonObject } from "../values/json.ts";
import type { Table } from "../tables/table.ts";
import type { Values } from "../values/value.ts";

/** How a run came to be, one step after the other: who measured or read it, and what was applied to it since. */
export interface Step {
  readonly kind: "collector" | "importer" | "postprocessor";
  readonly name: string;
  readonly params: Json;
}

/**
 * One measurement event: what was constant, the measured rows, fitted models, and how it came to be. A value, never
 * mutated.
 */
export interface Run {
  /** Values that hold for the whole run. A profile has `type`, `cmd` and `workload` here. */
  readonly fixed: Values;
  /** The rows (data sets of an experiment, resources of a profile). */
  readonly data: Table;
  readonly models: readonly Json[];
  readonly steps: readonly Step[];
  /** The version that was measured; absent once a profile is stored, since the index knows it. */
  readonly origin?: VersionId;
  /** The machine and environment it was measured on. */
  readonly machine?: JsonObject;
  /** Regions of the source that have no home above, untouched and in order. */
  readonly extra: JsonObject;
}

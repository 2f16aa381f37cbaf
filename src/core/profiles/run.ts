import type { VersionId } from "../versions/index.ts";
import type { Json, JsonObject, Values } from "../values/index.ts";
import type { Table } from "../tables/index.ts";

/** A step in the history of a run: its collector or importer, and the postprocessors applied since. */
export interface Step {
  readonly kind: "collector" | "importer" | "postprocessor";
  readonly name: string;
  readonly params: Json;
}

/** One measurement: constant values, measured rows, fitted models and history. Immutable. */
export interface Run {
  /** Values of the whole run. A profile has `type`, `cmd` and `workload` here. */
  readonly fixed: Values;
  /** The rows of an experiment, the resources of a profile. */
  readonly data: Table;
  readonly models: readonly Json[];
  readonly steps: readonly Step[];
  /** The measured commit; absent in stored profiles, since the index has it. */
  readonly origin?: VersionId;
  /** The machine and environment it was measured on. */
  readonly machine?: JsonObject;
  /** Other regions of the source, unchanged and in order. */
  readonly extra: JsonObject;
}

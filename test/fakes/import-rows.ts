import { tableOf } from "../../src/core/tables/table-builder.ts";
import type { Value, Values } from "../../src/core/values/value.ts";
import type { Variable } from "../../src/core/variables/variable.ts";
import type { StoredExperiment } from "../../src/store/catalogue/catalogue.ts";
import type { Experiments } from "../../src/store/experiments/experiments.ts";

/** How an import without options is recorded. */
export const plainImport = { joined: false, sequential: false, fixed: [], missing: "friendly" };

interface ImportedRun {
  readonly once?: Values;
  readonly created?: number;
  readonly performed?: number;
}

/** Imports one run with these rows, and returns its number. */
export function importRows(
  experiments: Experiments,
  stored: StoredExperiment,
  variables: readonly Variable[],
  rows: readonly (readonly Value[])[],
  { once = new Map(), created = 1, performed = 1 }: ImportedRun = {},
): Promise<number> {
  return experiments.import(stored, 1, plainImport, async (writer) => {
    writer.begin();
    await writer.rows(tableOf(variables, rows));
    await writer.end(once, { created, performed });
    return (await writer.finish())[0] ?? 0;
  });
}

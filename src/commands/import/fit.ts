import type { Experiment } from "../../core/experiments/index.ts";
import { Failure } from "../../core/failures/index.ts";
import { castTable, castValues } from "../../core/tables/index.ts";
import type { Digest } from "../../core/versions/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import type { ImportEvent } from "../../plugins/importers/importer.ts";
import { assembleRuns, type AssemblyOptions, type RunStep } from "../../workspace/import/index.ts";
import type { DecodedInput } from "./decode.ts";
import type { ReadFile } from "./input-files.ts";

/** Parts of runs; the steps of each input are enclosed by `reading` and `read`. */
export type ImportStep =
  | RunStep
  | { readonly kind: "reading"; readonly description?: Digest; readonly modified?: number }
  | { readonly kind: "read"; readonly files: readonly ReadFile[] };

export interface FitOptions extends Omit<AssemblyOptions, "notice"> {
  readonly experiment: Experiment;
  /** Cast values to the types of the experiment: those of a known format may have others. */
  readonly cast?: boolean;
  readonly notice: (file: string, line: number, text: string) => void;
}

/**
 * Step 3 of an import: turns the events of all inputs, in order, into runs of the experiment. Failures name the file,
 * unless they name a location in a description.
 */
export async function* fit(
  inputs: Iterable<DecodedInput>,
  { cast = false, notice, ...options }: FitOptions,
): AsyncGenerator<ImportStep> {
  const { experiment } = options;
  for (const { name, description, modified, ...input } of inputs) {
    try {
      yield {
        kind: "reading",
        ...(description === undefined ? {} : { description }),
        ...(modified === undefined ? {} : { modified }),
      };
      const events = cast ? castEvents(input.events(), experiment) : input.events();
      yield* assembleRuns(events, experiment, { ...options, notice: (line, text) => notice(name, line, text) });
      yield { kind: "read", files: await input.finish() };
    } catch (error) {
      throw error instanceof Failure && error.code !== "description-error" ? error.at(name) : error;
    } finally {
      await input.discard();
    }
  }
}

/** Casts rows and values to the types of the experiment. */
async function* castEvents(events: AsyncIterable<ImportEvent>, { variables }: Experiment): AsyncGenerator<ImportEvent> {
  const declared: Variable[] = [];
  for await (const event of events) {
    if (event.kind === "declare") declared.push(...event.variables);
    if (event.kind === "rows") yield { ...event, table: castTable(event.table, variables) };
    else if (event.kind === "once") yield { ...event, values: castValues(event.values, declared, variables) };
    else yield event;
  }
}

import { Failure } from "../../core/failures/index.ts";
import type { Digest } from "../../core/versions/index.ts";
import { descriptionText, type InputDescription, readInput } from "../../formats/descriptions/index.ts";
import type { StoredExperiment } from "../../store/catalogue/index.ts";
import type { Experiments } from "../../store/experiments/index.ts";
import type { Objects } from "../../store/objects/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { ImportInput, ImportOptions } from "./options.ts";

/** A loaded description. */
export interface LoadedDescription {
  readonly bytes: Uint8Array;
  readonly parsed: InputDescription;
  /** Object of the description, if already stored. */
  readonly object?: Digest;
}

/** Loads descriptions from files; null for attached ones. Fails with `unreadable-file`, `description-error`. */
export function loadDescriptions(workspace: Workspace, inputs: readonly ImportInput[]): (LoadedDescription | null)[] {
  return inputs.map(({ description }) => {
    if (!("file" in description)) return null;
    const bytes = workspace.files.read(description.file);
    return { bytes, parsed: readInput(descriptionText(bytes, description.file), description.file) };
  });
}

/** Loads an attached description. Fails with `unknown-attachment`, `wrong-attachment`. */
export async function loadAttachedDescription(
  experiments: Experiments,
  stored: StoredExperiment,
  name: string,
  objects: Objects,
): Promise<LoadedDescription> {
  const { object, kind } = await experiments.attachment(stored, name);
  if (kind !== "input") throw new Failure("wrong-attachment", { name, kind, wanted: "input" });
  const bytes = objects.get(object).body;
  return { bytes, parsed: readInput(descriptionText(bytes, name), name), object: object };
}

/**
 * Name of the experiment: from the options, else the first description, else the environment. Fails with
 * `no-experiment-named`.
 */
export function experimentName(
  workspace: Workspace,
  options: ImportOptions,
  descriptions: readonly (LoadedDescription | null)[],
): string {
  const described = descriptions.find((each) => each?.parsed.experiment !== undefined)?.parsed.experiment;
  const { environment } = workspace.world;
  const name = options.experiment ?? described ?? (environment["PERFKEEP_EXPERIMENT"] || environment["PB_EXPERIMENT"]);
  if (name) return name;
  throw new Failure("no-experiment-named");
}

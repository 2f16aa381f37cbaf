import { Failure } from "../../core/failures/index.ts";
import type { Digest } from "../../core/versions/index.ts";
import { descriptionText, type InputDescription, readInput } from "../../formats/descriptions/index.ts";
import type { StoredExperiment } from "../../store/catalogue/index.ts";
import type { Experiments } from "../../store/experiments/index.ts";
import type { Objects } from "../../store/objects/index.ts";
import type { Files } from "../../workspace/files/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { userFile } from "./input-files.ts";
import type { ImportInput, ImportOptions } from "./options.ts";
import type { ReadTogether } from "./read-runs.ts";

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

/**
 * Groups files to read together. One description: each file separately, or all concatenated with `join`. Several: all
 * files together. Fails with `unusable-combination`, `missing-operand`.
 */
export function planReadings(
  files: Files,
  options: ImportOptions,
  descriptions: readonly LoadedDescription[],
): ReadTogether[] {
  const { inputs, join = false } = options;
  refuseUnusable(options);
  const each = inputs.map(({ files: paths }, at) => {
    const { parsed: description, object } = descriptions[at] as LoadedDescription;
    return {
      files: paths.map((path) => userFile(files, path)),
      input: { description, ...(object === undefined ? {} : { descriptionObject: object }) },
    };
  });
  const [only, ...more] = each;
  if (only !== undefined && more.length === 0)
    return (join ? [only.files] : only.files.map((file) => [file])).map((files) => ({
      inputs: [{ ...only.input, files }],
    }));
  const [first, ...companions] = each.flatMap(({ files, input }) => files.map((file) => ({ ...input, files: [file] })));
  return first === undefined ? [] : [{ inputs: [first, ...companions] }];
}

function refuseUnusable({ inputs, join, preview, storeSet }: ImportOptions): void {
  if (inputs.length === 0) throw new Failure("no-description");
  if (inputs.some(({ files }) => files.length === 0)) throw new Failure("no-input-files");
  if (inputs.flatMap(({ files }) => files).filter((file) => file === "-").length > 1)
    throw new Failure("unusable-combination", { what: "standard input can be read only once", instead: "give - once" });
  if (join === true && inputs.length > 1) {
    const instead = "join the files of one description, or give each description its own files";
    throw new Failure("unusable-combination", { what: "files of several descriptions cannot be joined", instead });
  }
  if (preview !== undefined && storeSet !== undefined)
    throw new Failure("unusable-combination", {
      what: "a dry run stores no parameter set",
      instead: "omit one of them",
    });
}

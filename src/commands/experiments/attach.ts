import { Failure, isFailure } from "../../core/failures/failure.ts";
import type { Experiment } from "../../core/experiments/experiment.ts";
import { descriptionText } from "../../formats/descriptions/description-text.ts";
import {
  describedKind,
  readExperiment,
  readExperimentUpdate,
} from "../../formats/descriptions/experiment/read-experiment.ts";
import type { InputDescription } from "../../formats/descriptions/input/input-description.ts";
import { readInput } from "../../formats/descriptions/input/input.ts";
import type { KeptAttachment } from "../../formats/store/experiments/ledger.ts";
import { readPlot } from "../../formats/descriptions/plot-text.ts";
import { readQuery } from "../../formats/descriptions/query/query-text.ts";
import type { Attachment } from "../../store/catalogue/attachments.ts";
import { experimentHome, withExperiments } from "../../workspace/experiments/experiments.ts";
import type { Workspace } from "../../workspace/workspace.ts";

export interface AttachOptions {
  readonly experiment: string;
  /** A description of any kind, in either spelling. */
  readonly file: string;
  /** What it says, where it lies in no file: `file` only tells messages what to call it. */
  readonly content?: Uint8Array;
  /** Another name than the description's own. */
  readonly name?: string;
  /** What it is about, instead of what it says itself. */
  readonly synopsis?: string;
  readonly database?: string;
}

/** Where an attachment is. */
export interface AttachmentPlace {
  readonly experiment: string;
  readonly name: string;
  readonly database?: string;
}

/**
 * Keeps a description with an experiment, to be used by name. It is read first, and an input description held against
 * the experiment. Fails with `description-error`, `bad-attachment` (no name), `attachment-exists`.
 */
export async function attach(workspace: Workspace, options: AttachOptions): Promise<Attachment> {
  const { file } = options;
  const bytes = options.content ?? workspace.files.read(file);
  const { kind, name: own, synopsis: said, input } = described(descriptionText(bytes, file), file);
  const synopsis = options.synopsis ?? said;
  const name = options.name ?? own ?? "";
  if (name === "") throw new Failure("bad-attachment", { path: file, problem: "it has no name of its own" });
  const home = experimentHome(workspace, options.database);
  return withExperiments(workspace, home, "write", async (experiments) => {
    const stored = await experiments.find(options.experiment);
    if (input !== undefined) await requireUsable(workspace, input, stored.experiment);
    const object = home.objects.put("attachment", kind.replace("_", "-"), bytes).digest;
    const creator = workspace.world.environment["USER"];
    const kept: KeptAttachment = {
      name,
      kind,
      ...(synopsis ? { synopsis } : {}),
      file,
      object,
      ...(creator ? { creator } : {}),
    };
    await experiments.attach(stored, kept, workspace.world.now() * 1000);
    return experiments.attachment(stored, name);
  });
}

interface Described {
  readonly kind: KeptAttachment["kind"];
  readonly name?: string | undefined;
  readonly synopsis?: string | undefined;
  readonly input?: InputDescription;
}

/** Reads nothing by the description: what it says of variables that the experiment does not have fails all the same. */
async function requireUsable(
  workspace: Workspace,
  description: InputDescription,
  experiment: Experiment,
): Promise<void> {
  const importer = await workspace.registry.get("importer", "description");
  try {
    for await (const _ of importer.read(nothing(), new Map(), { experiment, description }));
  } catch (error) {
    if (!isFailure(error, "nothing-found")) throw error;
  }
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

/** Fails with `description-error`: what is kept can be used. */
function described(text: string, file: string): Described {
  const kind = describedKind(text, file);
  if (kind === "experiment") return { kind, ...naming(readExperiment(text, file)) };
  if (kind === "update")
    return { kind: "experiment_update", synopsis: readExperimentUpdate(text, file).about.synopsis ?? undefined };
  if (kind === "plot") return { kind, synopsis: readPlot(text, file).comment };
  if (kind === "query") return { kind, ...identified(readQuery(text, file)) };
  const input = readInput(text, file);
  return { kind, ...identified(input), input };
}

function identified({ id, synopsis }: { readonly id?: string; readonly synopsis?: string }): Omit<Described, "kind"> {
  return { name: id, synopsis };
}

function naming({ name, synopsis }: { readonly name: string; readonly synopsis?: string }): Omit<Described, "kind"> {
  return { name, synopsis };
}

/** In order of name. */
export async function listAttachments(
  workspace: Workspace,
  experiment: string,
  database?: string,
): Promise<Attachment[]> {
  return withExperiments(workspace, experimentHome(workspace, database), "read", async (experiments) =>
    experiments.attachments(await experiments.find(experiment)),
  );
}

/** The bytes that were attached. Fails with `unknown-attachment`. */
export async function attachedContent(
  workspace: Workspace,
  { experiment, name, database }: AttachmentPlace,
): Promise<Uint8Array> {
  return withExperiments(workspace, experimentHome(workspace, database), "read", async (experiments) =>
    experiments.content(await experiments.attachment(await experiments.find(experiment), name)),
  );
}

/** Fails with `unknown-attachment`. The bytes stay in the object store. */
export async function detach(
  workspace: Workspace,
  { experiment, name, database }: AttachmentPlace,
): Promise<Attachment> {
  return withExperiments(workspace, experimentHome(workspace, database), "write", async (experiments) => {
    const stored = await experiments.find(experiment);
    const found = await experiments.attachment(stored, name);
    await experiments.detach(stored, name, workspace.world.now() * 1000);
    return found;
  });
}

import { Failure, isFailure } from "../../core/failures/index.ts";
import { requireOtherName, type Experiment } from "../../core/experiments/index.ts";
import {
  descriptionText,
  descriptionKind,
  readExperiment,
  readExperimentUpdate,
  type InputDescription,
  readInput,
  readPlot,
  readQuery,
} from "../../formats/descriptions/index.ts";
import type { StoredAttachment } from "../../formats/store/index.ts";
import type { Attachment } from "../../store/catalogue/index.ts";
import { experimentHome, withExperiment, withExperiments } from "../../workspace/experiments/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";

export interface AttachOptions {
  readonly experiment: string;
  /** A description of any kind, as text or XML. */
  readonly file: string;
  /** Bytes of a description without a file; `file` is its name in messages. */
  readonly bytes?: Uint8Array;
  /** Default: the description's name. */
  readonly name?: string;
  /** Default: the description's synopsis. */
  readonly synopsis?: string;
  readonly database?: string;
}

/** Identifies an attachment. */
export interface AttachmentRef {
  readonly experiment: string;
  readonly name: string;
  readonly database?: string;
}

/**
 * Attaches a description to an experiment under a name. Parses it first and checks an input description against the
 * experiment. Fails with `description-error`, `bad-attachment` (no name), `bad-name`, `attachment-exists`.
 */
export async function attach(workspace: Workspace, options: AttachOptions): Promise<Attachment> {
  const { file } = options;
  const bytes = options.bytes ?? workspace.files.read(file);
  const { kind, name: own, synopsis: ownSynopsis, input } = described(descriptionText(bytes, file), file);
  const synopsis = options.synopsis ?? ownSynopsis;
  const name = options.name ?? own ?? "";
  if (name === "") throw new Failure("bad-attachment", { path: file, problem: "it has no name of its own" });
  requireOtherName("an attachment", name);
  const home = experimentHome(workspace, options.database);
  return withExperiments(workspace, home, "write", async (experiments) => {
    const stored = await experiments.find(options.experiment);
    if (input !== undefined) await requireUsable(workspace, input, stored.experiment);
    const object = home.objects.put("attachment", kind.replace("_", "-"), bytes).digest;
    const creator = workspace.world.environment["USER"];
    const attachment: StoredAttachment = {
      name,
      kind,
      ...(synopsis ? { synopsis } : {}),
      file,
      object,
      ...(creator ? { creator } : {}),
    };
    await experiments.attach(stored, attachment, workspace.time());
    return experiments.attachment(stored, name);
  });
}

interface Described {
  readonly kind: StoredAttachment["kind"];
  readonly name?: string | undefined;
  readonly synopsis?: string | undefined;
  readonly input?: InputDescription;
}

/** Imports an empty input: variables unknown to the experiment cause a failure. */
async function requireUsable(
  workspace: Workspace,
  description: InputDescription,
  experiment: Experiment,
): Promise<void> {
  const importer = await workspace.registry.get("importer", "description");
  try {
    for await (const _ of importer.read(emptyInput(), new Map(), { experiment, description }));
  } catch (error) {
    if (!isFailure(error, "nothing-found")) throw error;
  }
}

async function* emptyInput(): AsyncGenerator<Uint8Array> {}

/** Parses a description of any kind. Fails with `description-error`. */
function described(text: string, file: string): Described {
  const kind = descriptionKind(text, file);
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

/** Attachments by name. */
export async function listAttachments(
  workspace: Workspace,
  experiment: string,
  database?: string,
): Promise<Attachment[]> {
  return withExperiment(workspace, { experiment, database }, "read", (stored, experiments) =>
    experiments.attachments(stored),
  );
}

/** Bytes of an attachment. Fails with `unknown-attachment`. */
export async function attachmentBytes(
  workspace: Workspace,
  { experiment, name, database }: AttachmentRef,
): Promise<Uint8Array> {
  return withExperiment(workspace, { experiment, database }, "read", async (stored, experiments) =>
    experiments.attachmentBytes(await experiments.attachment(stored, name)),
  );
}

/** Removes an attachment; its bytes stay in the object store. Fails with `unknown-attachment`. */
export async function detach(workspace: Workspace, { experiment, name, database }: AttachmentRef): Promise<Attachment> {
  return withExperiment(workspace, { experiment, database }, "write", async (stored, experiments) => {
    const found = await experiments.attachment(stored, name);
    await experiments.detach(stored, name, workspace.time());
    return found;
  });
}

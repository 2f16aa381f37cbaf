import type { VersionId } from "../../core/versions/index.ts";
import { Failure } from "../../core/failures/index.ts";
import type { Recorder, Vcs } from "../../plugins/vcs/vcs.ts";
import type { Workspace } from "../../workspace/workspace.ts";

export interface SnapshotOptions {
  readonly message: string;
  /** `Name <address>`; default: TAGIT_AUTHOR, else the user's name. */
  readonly author?: string;
  readonly branch?: string;
  /** Revision. */
  readonly from?: string;
  readonly merged: readonly string[];
  /** Permanent tag. */
  readonly tag?: string;
}

export interface SnapshotResult {
  readonly version: VersionId;
  readonly isNew: boolean;
  readonly branch: string;
}

/** Records the working tree as a commit. Fails with `not-recorded-here`, `unknown-revision`, `bad-version-name`. */
export async function snapshot(workspace: Workspace, options: SnapshotOptions): Promise<SnapshotResult> {
  const { vcs, recorder } = await openRecorder(workspace);
  const { author, email } = identity(
    options.author ?? workspace.world.environment["TAGIT_AUTHOR"],
    workspace.world.environment,
  );
  const from = options.from === undefined ? undefined : await vcs.resolve(options.from);
  const merged = [];
  for (const word of options.merged) merged.push(await vcs.resolve(word));
  const made = await recorder.snapshot({
    message: options.message,
    author,
    email,
    date: Math.floor(workspace.world.now() / 1000),
    ...(options.branch === undefined ? {} : { branch: options.branch }),
    ...(from === undefined ? {} : { from }),
    merged,
  });
  if (options.tag !== undefined) await recorder.tag(options.tag, made.version);
  return { ...made, branch: options.branch ?? (await vcs.majorHead()) };
}

/** Tags a commit permanently. Fails with `not-recorded-here`, `unknown-revision`, `bad-version-name`. */
export async function tagVersion(workspace: Workspace, name: string, revision?: string): Promise<VersionId> {
  const { vcs, recorder } = await openRecorder(workspace);
  const version = revision === undefined ? await vcs.head() : await vcs.resolve(revision);
  await recorder.tag(name, version);
  return version;
}

/** Diff of two commits; without `to`, of a commit (default: the head) and the working tree. */
export async function diffVersions(workspace: Workspace, from?: string, to?: string): Promise<string> {
  const { vcs, recorder } = await openRecorder(workspace);
  const before = from === undefined ? await vcs.head() : await vcs.resolve(from);
  return to === undefined ? recorder.diffTree(before) : vcs.diff(before, await vcs.resolve(to));
}

/** Writes the files of a commit to an empty or new folder. Fails with `not-recorded-here`, `worktree-failed`. */
export async function exportVersion(workspace: Workspace, revision: string, folder: string): Promise<VersionId> {
  const { vcs, recorder } = await openRecorder(workspace);
  const version = await vcs.resolve(revision);
  await recorder.copyOut(version, workspace.files.resolve(folder));
  return version;
}

async function openRecorder(workspace: Workspace): Promise<{ readonly vcs: Vcs; readonly recorder: Recorder }> {
  const vcs = workspace.hasInstance()
    ? await workspace.vcs()
    : await (await workspace.registry.get("vcs", "tagit")).open(workspace.world.directory, workspace.world.environment);
  if (!vcs.recorder) throw new Failure("not-recorded-here", { path: vcs.root, type: vcs.type });
  return { vcs, recorder: vcs.recorder };
}

function identity(
  text: string | undefined,
  environment: Workspace["world"]["environment"],
): { author: string; email: string } {
  const identityText = text || environment["USER"] || environment["LOGNAME"] || "unknown";
  const [, author = identityText, email = ""] = /^([^<>]*?)\s*<([^<>]*)>\s*$/.exec(identityText) ?? [];
  return { author, email };
}

import type { Run } from "../../core/profiles/run.ts";
import { keepProfile, type KeptProfile } from "../../workspace/profiles/keep-profile.ts";
import { runName } from "../../workspace/profiles/new-profile-name.ts";
import type { Workspace } from "../../workspace/workspace.ts";

export interface KeepRunOptions {
  /** The version that was measured; absent: the origin of the run, else the head. */
  readonly minor?: string;
  /** Register it at that version at once. */
  readonly register?: boolean;
}

/**
 * Keeps a run that somebody measured as a profile, pending or registered. Fails with `no-instance`, `unknown-revision`,
 * `unknown-choice` of a name's template.
 */
export async function keepRun(
  workspace: Workspace,
  run: Run,
  { minor, register = false }: KeepRunOptions,
): Promise<KeptProfile> {
  workspace.perun();
  const origin = minor === undefined && run.origin !== undefined ? run.origin : await workspace.version(minor);
  const whole = { ...run, origin };
  const template = (await workspace.config()).text("format.output_profile_template");
  return keepProfile(workspace, whole, (suffix) => runName(workspace, whole, template, suffix), register);
}

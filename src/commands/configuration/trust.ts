import { executableParts } from "../../workspace/config/executable-settings.ts";
import type { Workspace } from "../../workspace/workspace.ts";

export interface TrustResult {
  /** The `.perun` directory it is about. */
  readonly path: string;
  /** What its configuration would run; empty when it names nothing. */
  readonly commands: readonly string[];
  readonly trusted: boolean;
}

/** Allows exactly the commands that the configuration names now. Fails with `foreign-instance`. */
export async function grantTrust(workspace: Workspace): Promise<TrustResult> {
  return { path: workspace.perun(), commands: workspace.trust().grant(await workspace.config()), trusted: true };
}

/** Takes it back: the next command that runs something asks again. */
export async function revokeTrust(workspace: Workspace): Promise<TrustResult> {
  workspace.trust().revoke();
  return showTrust(workspace);
}

/** Changes nothing. */
export async function showTrust(workspace: Workspace): Promise<TrustResult> {
  const config = await workspace.config();
  return {
    path: workspace.perun(),
    commands: executableParts(config).commands,
    trusted: workspace.trust().covers(config),
  };
}

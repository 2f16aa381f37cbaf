import { accessSync, constants, existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { redactLogin } from "../../core/text/index.ts";
import type { Remotes } from "../../plugins/vcs/vcs.ts";
import type { Workspace } from "../workspace.ts";

/** Hooks that git runs in a folder to which it pushes. */
const receivingHooks = new Set([
  "pre-receive",
  "update",
  "proc-receive",
  "post-receive",
  "post-update",
  "reference-transaction",
  "push-to-checkout",
  "pre-auto-gc",
]);

/** The remotes of a repository, with its root. */
export interface LocatedRemotes extends Remotes {
  readonly root: string;
}

/**
 * What runs on this machine, or is written outside of `.perun`, when `remote` (a name, or an address that the user
 * gives) is contacted, because the repository's own configuration says so; one line each. Settings of the user and of
 * the machine are not listed, nor hooks of a folder that the user gives.
 */
export function remotePrograms({ root, addresses, programs = [] }: LocatedRemotes, remote: string): string[] {
  const isOthers = (name: string): boolean => name.startsWith("remote.") && !name.startsWith(`remote.${remote}.`);
  const settings = programs.filter(([name]) => !isOthers(name) && !name.startsWith("url."));
  const targets = addresses.has(remote) ? [addresses.get(remote)?.push] : rewritten(remote, programs);
  const hooks = targets.flatMap((address) => hooksIn(folderOf(root, address)));
  return [...settings.map(([name, value]) => `${name}: ${redactLogin(value)}`), ...hooks];
}

/** Where an address leads by `url.BASE.insteadOf` and `pushInsteadOf`. */
function rewritten(address: string, settings: Remotes["settings"]): string[] {
  return settings.flatMap(([name, prefix]) => {
    const base = /^url\.(.*)\.(?:insteadof|pushinsteadof)$/is.exec(name)?.[1];
    return base !== undefined && address.startsWith(prefix) ? [`${base}${address.slice(prefix.length)}`] : [];
  });
}

/** `remotePrograms` of all remotes; none where remotes cannot be read. */
export async function allRemotePrograms(workspace: Workspace): Promise<string[]> {
  const vcs = await workspace.vcs();
  const remotes = await vcs.remotes?.();
  if (remotes === undefined) return [];
  const names = ["", ...remotes.addresses.keys()];
  return [...new Set(names.flatMap((name) => remotePrograms({ ...remotes, root: vcs.root }, name)))];
}

/** The folder that an address names; undefined for a server. */
function folderOf(root: string, address: string | undefined): string | undefined {
  if (address === undefined) return undefined;
  if (/^file:\/\//i.test(address))
    return URL.canParse(address) ? fileURLToPath(`file://${address.slice(7)}`) : undefined;
  return /^[^/\\]*:/.test(address) ? undefined : resolve(root, address);
}

function hooksIn(folder: string | undefined): string[] {
  if (folder === undefined) return [];
  const git = [join(folder, ".git"), folder, `${folder}.git`].find((path) => existsSync(join(path, "objects")));
  if (git === undefined) return [];
  return namesIn(join(git, "hooks"))
    .filter((name) => receivingHooks.has(name) && isExecutable(join(git, "hooks", name)))
    .map((name) => `hook: ${join(git, "hooks", name)}`);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch {
    return [];
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

import { existsSync, realpathSync } from "node:fs";
import { dirname, resolve } from "node:path";

/**
 * Path of the repository of an instance. `url` is `vcs.url`, relative to `.perun`. Perun writes absolute paths; if that
 * path no longer exists, the project was moved and the repository is around `.perun`.
 */
export function repositoryPath(perun: string, url: string): string {
  const path = resolve(perun, url);
  return url !== "" && existsSync(path) ? path : dirname(perun);
}

/**
 * True if the repository is not the folder around `.perun`. A clone could bring along a repository whose configuration
 * names programs (filters), so it must be trusted like a command.
 */
export function isForeignRepository(perun: string, url: string): boolean {
  return realpathSync(repositoryPath(perun, url)) !== realpathSync(dirname(perun));
}

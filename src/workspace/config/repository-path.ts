import { existsSync, realpathSync } from "node:fs";
import { dirname, resolve } from "node:path";

/**
 * Where the repository of an instance lies. `url` is `vcs.url`, relative to `.perun`. Perun writes an absolute path;
 * when the project has been moved or copied since, the repository lies around `.perun` all the same.
 */
export function repositoryPath(perun: string, url: string): string {
  const path = resolve(perun, url);
  return url !== "" && existsSync(path) ? path : dirname(perun);
}

/**
 * True when that is not the folder around `.perun`. A clone could choose a repository that it brought along, whose own
 * configuration names programs (filters), so such a place has to be trusted like a command.
 */
export function isForeignRepository(perun: string, url: string): boolean {
  return realpathSync(repositoryPath(perun, url)) !== realpathSync(dirname(perun));
}

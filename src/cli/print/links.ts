import { spawnSync } from "node:child_process";
import { basename } from "node:path";
import type { VersionId } from "../../core/digest.ts";
import { terminalLink, versionPages } from "../../core/forge.ts";
import { isFailure } from "../../core/errors.ts";
import type { Session } from "../session.ts";

/** Versions as links to their pages at the forge of the repository's remote; as they are where there is no such page. */
export async function versionLinks({ output, workspace }: Session): Promise<(shown: string, id: VersionId) => string> {
  if (output.pager !== undefined && !passesLinks(output.pager)) return asTheyAre;
  const remote = await remoteOf(workspace);
  const pageOf = remote === null ? null : versionPages(remote);
  return pageOf === null ? asTheyAre : (shown, id) => terminalLink(shown, pageOf(id));
}

function asTheyAre(shown: string): string {
  return shown;
}

/** What a repository says of its remote is no reason to fail. */
async function remoteOf(workspace: Session["workspace"]): Promise<string | null> {
  try {
    return (await (await workspace.vcs()).remote?.()) ?? null;
  } catch (error) {
    if (isFailure(error)) return null;
    throw error;
  }
}

/** The first less that passes links through; older ones, and other pagers, show their escapes. */
const firstLess = 566;

function passesLinks(pager: string): boolean {
  if (basename(pager) !== "less") return false;
  const { stdout } = spawnSync(pager, ["--version"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"], timeout: 1000 });
  return Number(/^less (\d{1,6})/.exec(stdout ?? "")?.[1] ?? 0) >= firstLess;
}

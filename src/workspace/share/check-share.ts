import { join } from "node:path";
import { Failure } from "../../core/failures/failure.ts";
import type { FsckReport } from "../../store/fsck/fsck-report.ts";
import type { Workspace } from "../workspace.ts";
import { shareFolder } from "./share-folder.ts";
import { ShareRepository } from "./git/share-repository.ts";

const path = join("share", "git");

/** What is wrong with the repository of what travels. Nothing of a store hangs on it. */
export async function checkShare(workspace: Workspace): Promise<Pick<FsckReport, "problems" | "notes">> {
  try {
    const flaw = await ShareRepository.flawIn(join(shareFolder(workspace.perun()), "git"), workspace.world.environment);
    return { problems: flaw === null ? [] : [damage(flaw)], notes: [] };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.code === "vcs-missing")
      return { problems: [], notes: [{ code: "unchecked-share", path, message: `not read: ${error.message}` }] };
    return { problems: [damage(error.message)], notes: [] };
  }
}

function damage(reason: string): FsckReport["problems"][number] {
  return {
    code: "share-repository",
    path,
    message: `${reason}; remove .perun/share/git: everything in it is fetched again`,
  };
}

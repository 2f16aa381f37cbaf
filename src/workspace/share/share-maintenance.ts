import { join } from "node:path";
import { Failure } from "../../core/failures/index.ts";
import type { FsckReport } from "../../store/fsck/index.ts";
import type { Workspace } from "../workspace.ts";
import { shareFolder } from "./share-folder.ts";
import { ShareRepository } from "./git/share-repository.ts";
import { existsSync } from "node:fs";
import { StoreLock } from "../../store/durable/index.ts";
import { withRepository } from "./git/with-repository.ts";

const path = join("share", "git");

/** Problems of the share repository, which no stored data depends on. */
export async function checkShare(workspace: Workspace): Promise<Pick<FsckReport, "problems" | "notes">> {
  try {
    const flaw = await ShareRepository.checkFolder(
      join(shareFolder(workspace.perun()), "git"),
      workspace.world.environment,
    );
    return { problems: flaw === null ? [] : [shareProblem(flaw)], notes: [] };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.code === "vcs-missing")
      return { problems: [], notes: [{ code: "unchecked-share", path, message: `not read: ${error.message}` }] };
    return { problems: [shareProblem(error.message)], notes: [] };
  }
}

function shareProblem(reason: string): FsckReport["problems"][number] {
  return {
    code: "share-repository",
    path,
    message: `${reason}; remove .perun/share/git: its data is fetched again`,
  };
}

/** Size of the share repository before and after, in bytes. */
export interface ShareGarbage {
  readonly before: number;
  readonly after: number;
  /** Notes for the user. */
  readonly notes: readonly string[];
}

/** Repacks the share repository and prunes unreachable data. Fails with `share-repository`, `lock-held`. */
export async function collectShareGarbage(workspace: Workspace): Promise<ShareGarbage> {
  const root = shareFolder(workspace.perun());
  const folder = join(root, "git");
  if (!existsSync(folder)) return { before: 0, after: 0, notes: [] };
  return new StoreLock(join(root, "lock"), workspace.world.command).holdAsync(async () => {
    const collect = async (repository: ShareRepository, notes: readonly string[]): Promise<ShareGarbage> => ({
      ...(await repository.collectGarbage()),
      notes,
    });
    return withRepository(folder, workspace.world.environment, collect);
  });
}

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

/** Flaws of the share repository. They need no action, since no stored data depends on it and it is created again. */
export async function checkShare(workspace: Workspace): Promise<FsckReport["notes"]> {
  try {
    const flaw = await ShareRepository.checkFolder(
      join(shareFolder(workspace.perun()), "git"),
      workspace.world.environment,
    );
    return flaw === null ? [] : [shareNote(flaw)];
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.code === "vcs-missing") return [{ code: "unchecked-share", path, message: `not read: ${error.message}` }];
    return [shareNote(error.message)];
  }
}

function shareNote(reason: string): FsckReport["notes"][number] {
  return {
    code: "share-repository",
    path,
    message: `${reason}; the next push, pull or gc creates it again, nothing is lost`,
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

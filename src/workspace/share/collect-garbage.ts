import { existsSync } from "node:fs";
import { join } from "node:path";
import { StoreLock } from "../../store/durable/lock.ts";
import type { Workspace } from "../workspace.ts";
import { withRepository } from "./git/rebuild-repository.ts";
import { shareFolder } from "./share-folder.ts";
import type { ShareRepository } from "./git/share-repository.ts";

/** Bytes of the repository of what travels, before and after. */
export interface ShareGarbage {
  readonly before: number;
  readonly after: number;
  /** What is to be told of it. */
  readonly notes: readonly string[];
}

/**
 * Packs the repository of what travels anew, without what no remote leads to any more. Fails with `share-repository`,
 * `lock-held`.
 */
export async function collectShareGarbage(workspace: Workspace): Promise<ShareGarbage> {
  const root = shareFolder(workspace.perun());
  const folder = join(root, "git");
  if (!existsSync(folder)) return { before: 0, after: 0, notes: [] };
  return new StoreLock(join(root, "lock"), workspace.world.command).holdDuring(async () => {
    const collect = async (repository: ShareRepository, notes: readonly string[]): Promise<ShareGarbage> => ({
      ...(await repository.collectGarbage()),
      notes,
    });
    return withRepository(folder, workspace.world.environment, collect);
  });
}

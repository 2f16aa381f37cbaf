import { existsSync } from "node:fs";
import { join } from "node:path";
import { StoreLock } from "../../store/lock.ts";
import type { Workspace } from "../workspace.ts";
import { shareFolder } from "./open-share.ts";
import { ShareRepository } from "./share-repository.ts";

/** Bytes of the repository of what travels, before and after. */
export interface ShareGarbage {
  readonly before: number;
  readonly after: number;
}

/** Packs the repository of what travels anew, without what no remote leads to any more. Fails with `share-repository`, `lock-held`. */
export async function collectShareGarbage(workspace: Workspace): Promise<ShareGarbage> {
  const root = shareFolder(workspace.perun());
  const folder = join(root, "git");
  if (!existsSync(folder)) return { before: 0, after: 0 };
  return new StoreLock(join(root, "lock"), workspace.world.command).holdDuring(async () => {
    const repository = await ShareRepository.open(folder, workspace.world.environment);
    repository.clearLeftovers();
    return repository.collectGarbage();
  });
}

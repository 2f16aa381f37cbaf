import { existsSync } from "node:fs";
import { join } from "node:path";

/** Folder of all data for sharing. */
export function shareFolder(perun: string): string {
  return join(perun, "share");
}

/** Whether a push or pull was ever attempted. */
export function hasShared(perun: string): boolean {
  return existsSync(shareFolder(perun));
}

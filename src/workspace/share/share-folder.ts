import { existsSync } from "node:fs";
import { join } from "node:path";

/** Where everything of sharing lies. */
export function shareFolder(perun: string): string {
  return join(perun, "share");
}

/** Whether anything was pushed or pulled here, or tried to be. */
export function hasShared(perun: string): boolean {
  return existsSync(shareFolder(perun));
}

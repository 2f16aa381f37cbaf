import { chmodSync, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { wrapWriteErrors } from "../../store/durable/index.ts";

/** The group may read, write and list; new files and folders belong to the same group. */
const sharedFolder = 0o2070;

/** True if `init --shared` made the instance: its folder passes on its group, which may write. */
export function isSharedInstance(perun: string): boolean {
  const mode = lstatSync(perun, { throwIfNoEntry: false })?.mode ?? 0;
  return (mode & sharedFolder) === sharedFolder;
}

/**
 * Lets all files that this process creates be written by their group, as `core.sharedRepository=group` does in git, if
 * the instance is shared. Programs that it starts inherit this.
 */
export function writeForGroup(perun: string): void {
  if (isSharedInstance(perun)) process.umask(process.umask() & ~0o070);
}

/** Makes an instance writable for the group of its folder, with everything in it. Symbolic links are not followed. */
export function shareInstance(perun: string): void {
  wrapWriteErrors(perun, () => {
    const { mode } = lstatSync(perun);
    chmodSync(perun, (mode & 0o7777) | sharedFolder);
    for (const entry of readdirSync(perun, { withFileTypes: true })) {
      const path = join(perun, entry.name);
      if (entry.isDirectory()) shareInstance(path);
      else if (entry.isFile()) chmodSync(path, (lstatSync(path).mode & 0o7777) | 0o060);
    }
  });
  writeForGroup(perun);
}

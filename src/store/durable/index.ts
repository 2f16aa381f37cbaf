// Durable files: atomic writes, an inter-process lock, regular-file checks, and temporary files of dead processes.
// For every layer that writes files which must survive a crash.
// Never leaves a partial file under its final name, follows no symbolic links, and knows no file format.

export {
  NewFile,
  createDurably,
  linkDurably,
  linkIfAbsent,
  makeFolder,
  makeFolders,
  moveDurably,
  removeDurably,
  removeEach,
  writeDurably,
  writeIntoShard,
} from "./durable-file.ts";
export { errnoOf, wrapReadErrors, wrapWriteErrors } from "./file-failure.ts";
export { encodeLockRecord, readLockRecord } from "./lock-record.ts";
export { StoreLock } from "./lock.ts";
export { type ProcessIdentity, identityOf, livenessOf, ownIdentity, parseIdentity } from "./process-identity.ts";
export { isFolder, listFolder, lstatOrNull, readHead, readRegularFile } from "./regular-file.ts";
export { type NewContents, replaceEachNow, replaceTogether, syncFiles, syncFolders } from "./replace-together.ts";
export { isTemporaryName, livenessOfWriter, sweepFolder, temporaryName } from "./temporary-files.ts";

// Objects addressed by the SHA-1 of their bytes: writing, verified reading, streaming and receiving.
// For every part of the store and the workspace that keeps profiles, raw files or ledger entries.
// Never trusts a stored file without verification, and never overwrites an intact object.

export { DigestTable } from "./digest-table.ts";
export { IncomingObjects } from "./incoming-objects.ts";
export { ObjectBatch } from "./object-batch.ts";
export {
  type ForeignFile,
  type Member,
  type StoredNames,
  changeStamp,
  memberPath,
  membersIn,
  membersOf,
  namesInShard,
  readablePath,
  shardNames,
} from "./object-paths.ts";
export { openObjectStream } from "./object-stream.ts";
export { Objects } from "./objects.ts";
export { PackFile } from "./pack-file.ts";
export { isPackName } from "./pack-set.ts";
export { PackWriter } from "./pack-writer.ts";
export {
  BatchedRawFile,
  RawDigest,
  RawFile,
  type RawInfo,
  type RawSink,
  type Spooled,
  maxBatchedBytes,
  spool,
} from "./raw-file.ts";
export { receiveObject } from "./receive-object.ts";

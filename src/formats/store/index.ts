// Encodings of stored files: objects, commit indexes, changes, thresholds, triage, ledgers, dumps and shared sets.
// Used by store, workspace and commands, which read and write the files.
// Never accesses the file system and never trusts the bytes that it decodes.

export {
  type DecodedChanges,
  type StoredChange,
  changeKey,
  decodeChanges,
  encodeChanges,
  storedChange,
  storedText,
  storedWord,
} from "./changes.ts";
export { packJson, unpackJson } from "./compressed-json.ts";
export { dumpedEntry, nameInDumps, numbersFromOne, translatedChange } from "./experiments/dump-ledger.ts";
export {
  type DumpManifest,
  type DumpMember,
  type DumpRole,
  type DumpTable,
  type MissingObject,
  decodeManifest,
  dumpFields,
  dumpMark,
  dumpMemberName,
  dumpRole,
  encodeManifest,
  mayFollow,
} from "./experiments/dump-manifest.ts";
export { decodeRows, encodeRows } from "./experiments/dump-rows.ts";
export { experimentJson, experimentOfJson } from "./experiments/experiment-json.ts";
export {
  type FrozenGraph,
  type FrozenOptions,
  type FrozenQuery,
  type FrozenRun,
  type FrozenVariable,
  decodeFrozenQuery,
  encodeFrozenQuery,
} from "./experiments/frozen-query.ts";
export type { ImportChange, ImportHow, ImportedInput, ImportedRunFacts } from "./experiments/ledger-import.ts";
export {
  type DescribedChange,
  type LedgerChange,
  type LedgerEntry,
  type StoredAttachment,
  type StoredValue,
  attachmentKinds,
  decodeLedgerEntry,
  encodeLedgerEntry,
  ledgerType,
  numbersGiven,
} from "./experiments/ledger.ts";
export { checkIndexSum, encodeIndexSum } from "./index-checksum.ts";
export {
  InflateError,
  type ObjectHeader,
  type StoredObject,
  decodeObject,
  encodeObject,
  inflateBounded,
  objectSizeLimit,
  packObject,
  parseObjectHeader,
  tooLarge,
  unpackObject,
  verifyObject,
} from "./object.ts";
export {
  PackError,
  type PackGroup,
  PackReader,
  type PackedEntry,
  compressGroup,
  decompressGroup,
  encodePackHeader,
  encodePackTable,
  groupBytes,
  maxPackedBytes,
  maxPackedObjects,
  sliceOfGroup,
} from "./pack.ts";
export {
  type SharedChange,
  type SharedChangeBody,
  type SharedRun,
  type SharedUpdate,
  type SharedValue,
  decodeSharedChange,
  encodeSharedChange,
  sharedChangeDigest,
  sharedFields,
} from "./sharing/experiment-change.ts";
export {
  encodeGitPackIndex,
  GitPackIndex,
  gitBlobId,
  gitPackHeader,
  type PackEntry,
  packedBlob,
  packedBlobHeader,
} from "./sharing/git-pack-index.ts";
export {
  type KnownSet,
  type SetNaming,
  displayTexts,
  duringMerge,
  withLocalChanges,
} from "./sharing/observed-remove-changes.ts";
export {
  type SharedSet,
  decodeSharedSet,
  emptySet,
  encodeSharedSet,
  isLine,
  mergeSharedSets,
} from "./sharing/observed-remove-set.ts";
export { type SetTally, type Standing, itemsHeldAt, standings, tallyOf } from "./sharing/observed-remove-status.ts";
export {
  type ReadRecord,
  type Registration,
  type RemoteSummary,
  type ShardRecord,
  type ShareCounts,
  type VersionRecord,
  decodeRecord,
  encodeRecord,
  nameOfText,
  readRegistration,
  registrationKey,
  registrationText,
  shortName,
} from "./sharing/remote-record.ts";
export { decodeThresholds, encodeThresholds } from "./thresholds.ts";
export { printTriageLine } from "./triage-line.ts";
export { type TriageFile, decodeTriage, encodeTriage, triageEntries, withEntry } from "./triage.ts";
export {
  type DecodedIndex,
  type IndexEntry,
  type IndexEntryV1,
  compareEntries,
  decodeIndex,
  encodeIndex,
  isIndex,
} from "./version-index.ts";

// The ledger of an experiment database: its entries, and the rebuild of a database from them.
// For the rooms of the store that change experiments, and for the rebuild command.
// Never modifies or removes an entry.

export {
  type DatedChange,
  type LedgerHead,
  type StoredEntry,
  appendChange,
  appendChanges,
  creations,
  experimentState,
  ledgerHead,
  listedEntries,
  purgedHere,
  readEntry,
  setDatabaseId,
  storedLedgers,
} from "./ledger.ts";
export { type FoundLedger, findLedger } from "./find-ledger.ts";
export { type RecordedHead, changesBeyond, readRecordedHead, recordHead, recordedHead } from "./recorded-head.ts";
export { type ImportReplay, applyChange, isIntact, rebuild, requireObjects, requiredObjects } from "./rebuild.ts";

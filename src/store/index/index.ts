// Version indexes and stored performance changes: the profiles and changes of each version.
// For the store itself and for the profile commands.
// Never deletes objects, and never overwrites a damaged index.

export { StoredChanges } from "./stored-changes.ts";
export { type IndexFile, VersionIndexes } from "./version-index.ts";

// Looks up, reads, names and saves profiles of an instance.
// Used by the commands and by src/workspace/jobs.
// Never knows the encoding of profiles: that is src/formats/profile.

export { type Confirm, type Located, Locator } from "./locate.ts";
export { profileOrNeither } from "./profile-or-neither.ts";
export { runName } from "./profile-name.ts";
export { type OpenComparable, openComparable, readComparable, readRun, readSourceTexts } from "./read-run.ts";
export { type SavedProfile, saveProfile } from "./save-profile.ts";
export { VersionLookup } from "./version-lookup.ts";

// Perun's profile format: decodes all layouts, encodes the stored and the pending form, builds and merges runs.
// Used by collectors, the store, the workspace and commands that read or create profiles.
// Never computes hashes, opens files or changes the bytes of a stored profile.

export { type ProfileDescription, type Subject, profileOf } from "./build-profile.ts";
export { addConstantColumn, concatenateRounds, concatenateRuns } from "./concatenate-profiles.ts";
export { subjectsOf, unitsOf } from "./imported-run-subjects.ts";
export { groupRows } from "./profile-groups.ts";
export { type ProfileHeader, headerOfRun, readProfileHeader } from "./profile-header.ts";
export { ProfileMemory } from "./profile-memory.ts";
export { profileName } from "./profile-name.ts";
export type { ProfileType } from "./profile-regions.ts";
export { type ProfileTag, parseProfileTag, splitVersionPrefix } from "./profile-tag.ts";
export {
  type NormalisedProfile,
  OpenProfile,
  decodeProfile,
  encodeProfile,
  encodeProfilePieces,
  normaliseProfile,
} from "./profile.ts";

// Pending profiles: collected, but not yet registered at their version.
// For the profile commands and for fsck.
// Never replaces an existing profile.

export { Pending, checkProfileName, profileNameError } from "./pending.ts";

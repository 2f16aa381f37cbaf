// Moving registered profiles from files of their own into packs, and back.
// For `perfkeep gc`, through the store.
// Never deletes an object before a verified copy of it is durable, and never decides what a store no longer needs.

export type { PackedProfiles, PackOptions, PackProgress } from "./pack-profiles.ts";
export type { UnpackedProfiles } from "./unpack-profiles.ts";

import type { VersionId } from "../versions/index.ts";

/** A registered or pending profile, as lists and tags know it. Times are unix seconds. */
export interface ListedProfile {
  readonly name: string;
  readonly type: string;
  readonly collector: string;
  readonly cmd: string;
  readonly workload: string;
  readonly postprocessors: readonly string[];
  readonly time: number;
  /** Hex name of the stored object; empty for a pending profile. */
  readonly object: string;
  /** The measured commit; pending profiles only, if known. */
  readonly origin?: VersionId;
}

/** The keys that lists can be sorted by (Perun's `--sort-by`). */
export const profileSortKeys = [
  "time",
  "type",
  "cmd",
  "workload",
  "collector",
  "checksum",
  "source",
  "realpath",
] as const;

export type ProfileSortKey = (typeof profileSortKeys)[number];

/**
 * The order of `status`, in which the tags `0@i`, `1@p` count: descending by `key`, so that 0 is the newest by default;
 * stable (Perun 0.21).
 */
export function inTagOrder<P extends ListedProfile>(profiles: readonly P[], key: ProfileSortKey): P[] {
  const value = valueOf(key);
  return [...profiles].sort((a, b) => compare(value(b), value(a)));
}

function valueOf(key: ProfileSortKey): (profile: ListedProfile) => string | number {
  if (key === "source") return (profile) => profile.name;
  // The path of the file: named after the object if it is registered.
  if (key === "realpath") return ({ name, object }) => (object === "" ? name : object);
  if (key === "checksum") return (profile) => profile.object;
  return (profile) => profile[key];
}

function compare(a: string | number, b: string | number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

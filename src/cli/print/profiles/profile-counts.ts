import type { ListedProfile } from "../../../core/profiles/index.ts";

/** Numbers of profiles by the types that Perun distinguishes. */
export interface ProfileCounts {
  readonly all: number;
  readonly memory: number;
  readonly mixed: number;
  readonly time: number;
}

export function countProfiles(profiles: readonly ListedProfile[]): ProfileCounts {
  const of = (type: string): number => profiles.filter((profile) => profile.type === type).length;
  return { all: profiles.length, memory: of("memory"), mixed: of("mixed"), time: of("time") };
}

/** `6 tracked profiles (2 memory, 3 mixed, 1 time)`, or `(no tracked profiles)`. */
export function countsLine(profiles: readonly ListedProfile[], what: "tracked" | "untracked"): string {
  const counts = countProfiles(profiles);
  if (counts.all === 0) return `(no ${what} profiles)`;
  const parts = (["memory", "mixed", "time"] as const)
    .filter((type) => counts[type] > 0)
    .map((type) => `${counts[type]} ${type}`);
  return `${counts.all} ${what} profiles (${parts.join(", ")})`;
}

import type { ListedProfile } from "../../../core/profiles/index.ts";

/** Numbers of profiles by the types that Perun distinguishes. */
export interface ProfileCounts {
  readonly all: number;
  readonly memory: number;
  readonly mixed: number;
  readonly time: number;
}

const noProfiles: ProfileCounts = { all: 0, memory: 0, mixed: 0, time: 0 };

export function countProfiles(profiles: readonly ListedProfile[]): ProfileCounts {
  if (profiles.length === 0) return noProfiles;
  const of = (type: string): number => profiles.filter((profile) => profile.type === type).length;
  return { all: profiles.length, memory: of("memory"), mixed: of("mixed"), time: of("time") };
}

export type ProfileState = "registered" | "pending";

const perunStates: Readonly<Record<ProfileState, string>> = { registered: "tracked", pending: "untracked" };

/** `6 registered profiles (2 memory, 3 mixed, 1 time)`, or `no registered profiles`; in Perun's words if `asPerun`. */
export function countsLine(profiles: readonly ListedProfile[], where: ProfileState, asPerun: boolean): string {
  const counts = countProfiles(profiles);
  const word = asPerun ? perunStates[where] : where;
  if (counts.all === 0) return asPerun ? `(no ${word} profiles)` : `no ${word} profiles`;
  const noun = counts.all === 1 && !asPerun ? "profile" : "profiles";
  return `${counts.all} ${word} ${noun} (${kindsText(counts)})`;
}

/** `2 memory, 1 time`. */
export function kindsText(counts: ProfileCounts): string {
  const kinds = (["memory", "mixed", "time"] as const).filter((type) => counts[type] > 0);
  return kinds.map((type) => `${counts[type]} ${type}`).join(", ");
}

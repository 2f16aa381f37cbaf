import type { ListedProfile } from "./profile-order.ts";

/** Same type, command, workload and collector; every postprocessor of the baseline was applied to the target too (Perun 0.21). */
export function isComparable(baseline: ListedProfile, target: ListedProfile): boolean {
  const same = (["type", "cmd", "workload", "collector"] as const).every((key) => baseline[key] === target[key]);
  return same && baseline.postprocessors.every((name) => target.postprocessors.includes(name));
}

/** Of several profiles of one configuration the newest; of equally old ones the last. */
export function latestOfEach(profiles: readonly ListedProfile[]): ListedProfile[] {
  const key = (p: ListedProfile): string => JSON.stringify([p.type, p.collector, p.cmd, p.workload, p.postprocessors]);
  const latest = new Map<string, ListedProfile>();
  for (const profile of profiles) {
    if ((latest.get(key(profile))?.time ?? Number.NEGATIVE_INFINITY) <= profile.time) latest.set(key(profile), profile);
  }
  return [...latest.values()];
}

import type { ListedProfile } from "./listed-profile.ts";

/** Postprocessors that only add models or a column; all others may change what amounts mean. */
const harmless = new Set(["clusterizer", "kernel_regression", "moving_average", "regression_analysis", "regressogram"]);

/** The postprocessors, of all that were applied, after which amounts may be other ones. */
export function changingRows(postprocessors: readonly string[]): string[] {
  return postprocessors.filter((name) => !harmless.has(name.replaceAll("-", "_")));
}

/**
 * Same type, command, workload and collector; every postprocessor of the baseline was applied to the target too (Perun
 * 0.21, whose whole rule this is), and those that change rows are the same in the same order.
 */
export function isComparable(baseline: ListedProfile, target: ListedProfile, isPerun = false): boolean {
  const same = (["type", "cmd", "workload", "collector"] as const).every((key) => baseline[key] === target[key]);
  if (!same || !baseline.postprocessors.every((name) => target.postprocessors.includes(name))) return false;
  return isPerun || changingRows(baseline.postprocessors).join("\0") === changingRows(target.postprocessors).join("\0");
}

/**
 * The one of several profiles to compare another with: comparable, postprocessed most alike, and of such the newest;
 * undefined: none is comparable.
 */
export function bestBaseline(profiles: readonly ListedProfile[], target: ListedProfile): ListedProfile | undefined {
  const fitting = profiles.filter((each) => isComparable(each, target));
  // All that was applied to a baseline was applied to the target: the more, the more alike.
  return fitting.sort((a, b) => b.postprocessors.length - a.postprocessors.length || b.time - a.time)[0];
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

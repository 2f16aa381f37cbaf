import { isObject, JsonNumber } from "../values/index.ts";
import type { ListedProfile } from "./listed-profile.ts";
import type { Run } from "./run.ts";

/** Postprocessors that only add models or a column; all others may change the meaning of amounts. */
const harmless = new Set(["clusterizer", "kernel_regression", "moving_average", "regression_analysis", "regressogram"]);

/** The collector of profiles by either of its names: Perun's `kperf` is `perf`. */
export function collectorOf({ collector }: Pick<ListedProfile, "collector">): string {
  return collector === "kperf" ? "perf" : collector;
}

/** The applied postprocessors that may change amounts. */
export function changingRows(postprocessors: readonly string[]): string[] {
  return postprocessors.filter((name) => !harmless.has(name.replaceAll("-", "_")));
}

/**
 * Same type, command, workload and collector; every postprocessor of the baseline was also applied to the target (the
 * complete rule of Perun 0.21), and those that change rows are the same in the same order.
 */
export function isComparable(baseline: ListedProfile, target: ListedProfile, isPerun = false): boolean {
  const same = (["type", "cmd", "workload"] as const).every((key) => baseline[key] === target[key]);
  if (!same || collectorOf(baseline) !== collectorOf(target)) return false;
  if (!baseline.postprocessors.every((name) => target.postprocessors.includes(name))) return false;
  return isPerun || changingRows(baseline.postprocessors).join("\0") === changingRows(target.postprocessors).join("\0");
}

/**
 * The best baseline for `target`: comparable, with the most similar postprocessing, then the newest; undefined if none
 * is comparable.
 */
export function bestBaseline(profiles: readonly ListedProfile[], target: ListedProfile): ListedProfile | undefined {
  const fitting = profiles.filter((each) => isComparable(each, target));
  // All postprocessors of a baseline were applied to the target: more of them is more similar.
  return fitting.sort((a, b) => b.postprocessors.length - a.postprocessors.length || b.time - a.time)[0];
}

/** What makes profiles a series: type, collector, command, workload and postprocessors. */
export function configurationKey(
  profile: Pick<ListedProfile, "type" | "collector" | "cmd" | "workload" | "postprocessors">,
): string[] {
  const { type, cmd, workload, postprocessors } = profile;
  return [type, collectorOf(profile), cmd, workload, ...postprocessors];
}

/** The newest profile of each configuration; of equally old ones the last. */
export function latestOfEach(profiles: readonly ListedProfile[]): ListedProfile[] {
  const key = (profile: ListedProfile): string => JSON.stringify(configurationKey(profile));
  const latest = new Map<string, ListedProfile>();
  for (const profile of profiles) {
    if ((latest.get(key(profile))?.time ?? Number.NEGATIVE_INFINITY) <= profile.time) latest.set(key(profile), profile);
  }
  return [...latest.values()];
}

/**
 * Start, in Unix milliseconds, of the run that measured the repetitions of several commits round by round; null: the
 * profile was measured on its own.
 */
export function measuringSession({ extra }: Pick<Run, "extra">): number | null {
  const session = extra.get("session");
  const started = isObject(session) ? session.get("started") : undefined;
  return started instanceof JsonNumber ? Number(started.text) : null;
}

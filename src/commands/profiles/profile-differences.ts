import {
  bestBaseline,
  isComparable,
  latestOfEach,
  type ComparedProfiles,
  type ComparedVersions,
  type DifferenceSide,
  type ListedProfile,
  configurationText,
  type Run,
} from "../../core/profiles/index.ts";
import type { Digest, VersionId } from "../../core/versions/index.ts";
import { textAt } from "../../core/values/index.ts";
import { sameMachine } from "../../core/measurements/index.ts";
import { pooledDifference, profileDifference, type DifferenceOptions } from "../../query/difference/index.ts";
import { readRun } from "../../workspace/profiles/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** Comparable profiles of two commits, and configurations that only one of them has. */
export interface ComparablePairs extends Pick<ComparedVersions, "onlyBase" | "onlyTarget"> {
  readonly pairs: readonly { readonly before: ListedProfile; readonly after: ListedProfile }[];
}

/**
 * Pairs the newest profile of each wanted configuration of `target` with the best baseline among the newest of `base`.
 */
export function comparablePairs(
  workspace: Workspace,
  base: VersionId,
  target: VersionId,
  isWanted: (profile: ListedProfile) => boolean = () => true,
): ComparablePairs {
  const before = latestOfEach(workspace.registered(base));
  const after = latestOfEach(workspace.registered(target)).filter(isWanted);
  const pairs = after.flatMap((profile) => {
    const baseline = bestBaseline(before, profile);
    return baseline === undefined ? [] : [{ before: baseline, after: profile }];
  });
  const onlyBase = before.filter((each) => isWanted(each) && !after.some((profile) => isComparable(each, profile)));
  const onlyTarget = after.filter((profile) => !pairs.some((pair) => pair.after === profile));
  return { pairs, onlyBase: onlyBase.map(configurationText), onlyTarget: onlyTarget.map(configurationText) };
}

/**
 * Compares the profiles of two groups of commits, pooled, per configuration that the newest `base` and the oldest
 * `target` share; the sides name these two. Configurations with fewer than three profiles are compared unpooled.
 */
export function pooledDifferences(
  workspace: Workspace,
  bases: readonly VersionId[],
  targets: readonly VersionId[],
  options: DifferenceOptions,
  isWanted?: (profile: ListedProfile) => boolean,
): readonly ComparedProfiles[] {
  const [base, target] = [bases.at(-1), targets[0]];
  if (base === undefined || target === undefined) return [];
  const stores = new Map([...bases, ...targets].map((each) => [each, latestOfEach(workspace.registered(each))]));
  return comparablePairs(workspace, base, target, isWanted).pairs.map(({ before, after }) => {
    const runsOf = (versions: readonly VersionId[]): Run[] =>
      versions.flatMap((version) => {
        const profile = bestBaseline(stores.get(version) ?? [], after);
        return profile === undefined ? [] : [stored(workspace, profile)];
      });
    const [olds, news] = [runsOf(bases), runsOf(targets)];
    const [run, other] = [stored(workspace, before), stored(workspace, after)];
    const pair = comparedProfiles(
      { run, profile: before.name, version: base },
      { run: other, profile: after.name, version: target },
      options,
    );
    const isPooled = olds.length + news.length > 2;
    return isPooled ? { ...pair, differences: pooledDifference(olds, news) } : pair;
  });
}

/** A profile with its run. */
export interface ReadProfile extends DifferenceSide {
  readonly run: Run;
}

export function comparedProfiles(base: ReadProfile, target: ReadProfile, options: DifferenceOptions): ComparedProfiles {
  const side = ({ profile, version }: ReadProfile): DifferenceSide => ({ profile, version });
  return {
    configuration: configurationOfRun(target.run),
    base: side(base),
    target: side(target),
    otherMachine: areOtherMachines(base.run, target.run),
    differences: profileDifference(base.run, target.run, options),
  };
}

/** Whether the machines of both are known and differ. */
export function areOtherMachines(base: Run, target: Run): boolean {
  const [one, other] = [base, target].map(({ machine }) => textAt(machine, "fingerprint") ?? null) as [
    string | null,
    string | null,
  ];
  return sameMachine(one, other) === "other";
}

function stored(workspace: Workspace, { object }: ListedProfile): Run {
  return readRun(workspace, { kind: "object", name: object, digest: object as Digest });
}

function configurationOfRun({ fixed, steps }: Run): string {
  const collector = steps.find(({ kind }) => kind === "collector")?.name ?? "";
  const [cmd, workload] = ["cmd", "workload"].map((key) => String(fixed.get(key) ?? "")) as [string, string];
  return configurationText({ collector, cmd, workload });
}

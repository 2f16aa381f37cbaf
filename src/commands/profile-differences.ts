import { isComparable, latestOfEach } from "../core/comparable-profiles.ts";
import type { Digest, VersionId } from "../core/digest.ts";
import { textAt } from "../core/json.ts";
import type { ComparedProfiles, ComparedVersions, DifferenceSide } from "../core/profile-difference.ts";
import type { ListedProfile } from "../core/profile-order.ts";
import type { Run } from "../core/run.ts";
import { profileDifference, type DifferenceOptions } from "../query/difference/profile-difference.ts";
import { readRun } from "../workspace/read-run.ts";
import type { Workspace } from "../workspace/workspace.ts";

/** Compares the newest profile of each configuration of `target` that `isWanted` with the newest comparable one of `base`. */
export function versionDifferences(
  workspace: Workspace,
  base: VersionId,
  target: VersionId,
  options: DifferenceOptions,
  isWanted: (profile: ListedProfile) => boolean = () => true,
): ComparedVersions {
  const before = latestOfEach(workspace.registered(base));
  const after = latestOfEach(workspace.registered(target)).filter(isWanted);
  const pairs = after.flatMap((profile) =>
    before.filter((each) => isComparable(each, profile)).map((each) => ({ before: each, after: profile })),
  );
  const missing = (all: readonly ListedProfile[], side: "before" | "after"): string[] =>
    all.filter((profile) => !pairs.some((pair) => pair[side] === profile)).map(configurationOf);
  return {
    compared: pairs.map((pair) =>
      comparedProfiles(
        { run: stored(workspace, pair.before), profile: pair.before.name, version: base },
        { run: stored(workspace, pair.after), profile: pair.after.name, version: target },
        options,
      ),
    ),
    onlyBase: missing(before.filter(isWanted), "before"),
    onlyTarget: missing(after, "after"),
  };
}

/** A profile that was read, and where from. */
export interface ReadProfile extends DifferenceSide {
  readonly run: Run;
}

export function comparedProfiles(base: ReadProfile, target: ReadProfile, options: DifferenceOptions): ComparedProfiles {
  const [before, after] = [textAt(base.run.machine, "fingerprint"), textAt(target.run.machine, "fingerprint")];
  const side = ({ profile, version }: ReadProfile): DifferenceSide => ({ profile, version });
  return {
    configuration: configurationOfRun(target.run),
    base: side(base),
    target: side(target),
    otherMachine: before !== undefined && after !== undefined && before !== after,
    differences: profileDifference(base.run, target.run, options),
  };
}

function stored(workspace: Workspace, { object }: ListedProfile): Run {
  return readRun(workspace, { kind: "object", name: object, digest: object as Digest });
}

function configurationOf({ collector, cmd, workload }: ListedProfile): string {
  return [collector, cmd, workload].filter((word) => word !== "").join(" ");
}

function configurationOfRun({ fixed, steps }: Run): string {
  const collector = steps.find(({ kind }) => kind === "collector")?.name ?? "";
  return [collector, ...["cmd", "workload"].map((key) => String(fixed.get(key) ?? ""))].filter((word) => word !== "").join(" ");
}

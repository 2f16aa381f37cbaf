import { isDegradation, isOptimization, type Change } from "../core/change.ts";
import type { VersionId } from "../core/digest.ts";
import type { Verdict, VerdictWord } from "../core/verdict.ts";
import { Suspects } from "../query/series/suspects.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { ProfileCheck, VersionCheck } from "./check-history.ts";
import { orderOf } from "./commit-axis.ts";
import { History } from "./history.ts";

/**
 * What checkers found about the profiles of a version, as verdicts: they have no samples of their own, so that levels and their change are told in
 * words (`reason`). What has no baseline is inconclusive, and so is what only may have changed.
 */
export async function changeVerdicts(workspace: Workspace, { version, checks }: VersionCheck): Promise<Verdict[]> {
  const history = new History(workspace);
  if (checks.some(({ baseline }) => baseline !== null)) await orderOf(history, version.id);
  const suspects = new Suspects(history.graph);
  return checks.flatMap((check) =>
    check.baseline === null || check.incomparable !== undefined ? [withoutBaseline(check)] : ofProfile(check, version.id, suspects),
  );
}

function withoutBaseline({ profile, incomparable }: ProfileCheck): Verdict {
  if (incomparable !== undefined) return { ...nothing, subject: subjectOf(profile, profile.cmd, profile.type), reason: incomparable };
  return { ...nothing, subject: subjectOf(profile, profile.cmd, profile.type), reason: "no earlier version has a comparable profile" };
}

function ofProfile({ profile, baseline, changes }: ProfileCheck, after: VersionId, suspects: Suspects): Verdict[] {
  const before = baseline?.version ?? null;
  if (changes.length === 0) return [{ ...nothing, subject: subjectOf(profile, profile.cmd, profile.type), word: "same", reason: null }];
  return changes.map((change) => ({
    ...nothing,
    subject: subjectOf(profile, change.location, change.type),
    word: wordOf(change),
    test: change.method,
    reason: `${change.result}: ${change.from} -> ${change.to}`,
    since: { before, after, suspects: suspects.between(before, after) },
  }));
}

/** Maybe does not count as worse, nor as known. */
function wordOf(change: Change): VerdictWord {
  if (change.result === "NoChange") return "same";
  if (change.result.startsWith("Maybe")) return "inconclusive";
  return isDegradation(change) ? "worse" : isOptimization(change) ? "better" : "inconclusive";
}

function subjectOf(
  { type, collector, cmd, workload, postprocessors }: ProfileCheck["profile"],
  location: string,
  metric: string,
): Verdict["subject"] {
  const words = [collector, cmd, workload].filter((word) => word !== "").join(" ");
  return {
    source: "profile",
    key: `profile ${JSON.stringify([type, collector, cmd, workload, ...postprocessors, location, metric])}`,
    benchmark: location === cmd ? words : `${words}: ${location}`,
    metric,
    unit: undefined,
    better: "lower",
  };
}

const nothing = {
  word: "inconclusive",
  before: null,
  after: null,
  delta: null,
  deltaLow: null,
  deltaHigh: null,
  p: null,
  test: "",
  q: null,
  detectable: null,
  since: null,
} as const;

import {
  isDegradation,
  isOptimization,
  type Change,
  type Side,
  type Since,
  type Verdict,
  type VerdictOutcome,
} from "../../core/verdicts/index.ts";
import type { VersionId } from "../../core/versions/index.ts";
import { configurationKey, configurationText, parsedUnit, profileKey } from "../../core/profiles/index.ts";
import { Suspects, type VersionGraph } from "../../query/history/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { ProfileCheck, VersionCheck } from "./check-history.ts";
import type { CheckedPair, Configuration } from "./check-profiles.ts";
import { orderOf, History, walkBetween } from "../history/index.ts";
import { sinceOf } from "./suspect-range.ts";

/**
 * Converts changes that checkers found at commits (newest first) to verdicts (oldest first). A profile without a
 * baseline and a `Maybe` result are inconclusive.
 */
export async function changeVerdicts(workspace: Workspace, versions: readonly VersionCheck[]): Promise<Verdict[]> {
  const suspects = new Suspects(await graphOfChanges(workspace, versions));
  const missingBaseline = await noBaselineReason(workspace);
  return versions
    .toReversed()
    .flatMap(({ version, checks }) =>
      checks.flatMap((check) =>
        check.baseline === null || check.incomparable !== undefined
          ? [undecided(check.profile, check.incomparable ?? missingBaseline)]
          : ofProfile(check, version.id, suspects),
      ),
    );
}

/** The history between changed profiles and their baselines; of several commits, all history of the newest one. */
async function graphOfChanges(workspace: Workspace, versions: readonly VersionCheck[]): Promise<VersionGraph> {
  const changed = versions.flatMap(({ version, checks }) =>
    checks.flatMap(({ baseline, changes }) =>
      baseline === null || changes.length === 0 ? [] : [{ before: baseline.version, after: version.id }],
    ),
  );
  const history = new History(workspace);
  const [newest] = changed;
  if (newest === undefined) return history.graph;
  if (versions.length > 1) await orderOf(history, newest.after);
  else for (const { before, after } of changed) await walkBetween(workspace, before, after, history.graph);
  return history.graph;
}

/** Converts the changes of one compared pair to verdicts. */
export async function pairVerdicts(
  workspace: Workspace,
  { of, changes, versions, incomparable }: CheckedPair,
): Promise<Verdict[]> {
  if (incomparable !== undefined) return [undecided(of, incomparable)];
  return verdictsOf(of, changes, changes.length === 0 ? null : await sinceOf(workspace, versions));
}

/** Reason for a missing baseline; mentions a shallow clone. */
export async function noBaselineReason(workspace: Workspace): Promise<string> {
  const cut = await (await workspace.vcs()).limitation("history");
  const rest = cut === null ? "; measure one: perfkeep run matrix -m COMMIT, or run job" : ` here: ${cut}`;
  return `no earlier commit has a comparable profile${rest}`;
}

function undecided(of: Configuration, reason: string): Verdict {
  return { ...noEvidence, subject: subjectOf(of, of.cmd, of.type), reason };
}

function ofProfile({ profile, baseline, changes }: ProfileCheck, after: VersionId, suspects: Suspects): Verdict[] {
  const before = baseline?.version ?? null;
  const since = changes.length === 0 ? null : { before, after, suspects: suspects.between(before, after) };
  return verdictsOf(profile, changes, since);
}

function verdictsOf(of: Configuration, changes: readonly Change[], since: Since | null): Verdict[] {
  if (changes.length === 0)
    return [{ ...noEvidence, subject: subjectOf(of, of.cmd, of.type), outcome: "same", reason: null }];
  return changes.map((change) => ({
    ...noEvidence,
    subject: { ...subjectOf(of, change.subject ?? change.location, change.metric ?? change.type), ...unitOf(change) },
    ...evidenceOf(change),
    outcome: wordOf(change),
    test: change.method,
    reason: reasonOf(change),
    since,
  }));
}

function unitOf({ evidence }: Change): Pick<Verdict["subject"], "unit"> {
  return { unit: evidence === undefined ? undefined : parsedUnit(evidence.unit) };
}

/** Without evidence the reason describes the levels. */
function reasonOf({ result, from, to, note, evidence }: Change): string | null {
  if (evidence !== undefined) return note?.replace(/^inconclusive: /, "") ?? null;
  return `${result}: ${from} -> ${to}${note === undefined ? "" : ` (${note})`}`;
}

/** What a verdict shows of the evidence of a change; numbers that there are not are null. */
function evidenceOf({ evidence }: Change): Partial<Verdict> {
  if (evidence === undefined) return {};
  const { levels, values } = evidence;
  return {
    before: sideOf(levels[0], values[0]),
    after: sideOf(levels[1], values[1]),
    delta: finite(evidence.delta),
    deltaLow: finite(evidence.deltaLow),
    deltaHigh: finite(evidence.deltaHigh),
    p: finite(evidence.p),
    q: finite(evidence.q),
  };
}

function sideOf(center: number, n: number): Side {
  return { center, low: Number.NaN, high: Number.NaN, n };
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

/** `Maybe` results are inconclusive. */
function wordOf(change: Change): VerdictOutcome {
  if (change.result === "NoChange") return "same";
  if (change.result.startsWith("Maybe")) return "inconclusive";
  return isDegradation(change) ? "worse" : isOptimization(change) ? "better" : "inconclusive";
}

function subjectOf(configuration: Configuration, location: string, metric: string): Verdict["subject"] {
  const { cmd } = configuration;
  const words = configurationText(configuration);
  return {
    source: "profile",
    key: profileKey(configurationKey(configuration), location, metric),
    benchmark: location === cmd ? words : `${words}: ${location}`,
    metric,
    unit: undefined,
    better: "lower",
  };
}

const noEvidence = {
  outcome: "inconclusive",
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

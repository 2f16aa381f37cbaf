import type { VersionId } from "../../core/versions/digest.ts";
import type { CostChange } from "../../core/profiles/profile-difference.ts";
import type { ListedProfile } from "../../core/profiles/listed-profile.ts";
import type { Subject } from "../../core/measurements/series.ts";
import type { Since, Verdict } from "../../core/verdicts/verdict.ts";
import { touchedCosts, type TouchedCost } from "../../query/difference/changed-file-costs.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { ComparedProfiles } from "../../core/profiles/profile-difference.ts";
import { versionDifferences } from "../profiles/profile-differences.ts";

/** Where a change of a number may come from. */
export interface Why {
  readonly since: Since;
  /** How the profiles of the versions before and after differ; empty where one of them has none that are comparable. */
  readonly profiles: readonly ComparedProfiles[];
  /**
   * Those that touched files of changed functions first, the greatest share of the change ahead; then in the order of
   * history.
   */
  readonly suspects: readonly Suspect[];
  /** Suspects that are not told of, as they are too many: the oldest. */
  readonly omitted: number;
}

/** A version that may have made the change. */
export interface Suspect {
  readonly version: VersionId;
  readonly subject: string;
  readonly author: string;
  /** Unix seconds. */
  readonly date: number;
  /** Files it changed, sorted; `isCut`: there are more. */
  readonly files: readonly string[];
  readonly isCut: boolean;
  /** What changed in the profiles in files that it touched, the greatest share first. */
  readonly touched: readonly TouchedCost[];
}

/** Suspects that are looked at: each costs a question to the version control system. */
const mostSuspects = 50;
const mostFiles = 500;

/** Enough to rank by; what is shown is fewer. */
const compared = { by: "function", isNormalised: false, minShare: 0.01, limit: 20 } as const;

/**
 * What may be behind a verdict: null when it does not say where in history the change happened. Fails with
 * `unknown-revision`, `index-damaged`.
 */
export async function explainVerdict(
  workspace: Workspace,
  {
    subject,
    since,
  }: { readonly subject: Pick<Subject, "benchmark"> & Partial<Pick<Subject, "key">>; readonly since: Since | null },
): Promise<Why | null> {
  if (since === null) return null;
  const profiles = profilesOf(workspace, since, subject);
  const rows = profiles.flatMap(({ differences }) => differences.flatMap((difference) => difference.rows));
  const told = since.suspects.slice(-mostSuspects);
  const suspects: Suspect[] = [];
  for (const version of told) suspects.push(await suspectOf(workspace, version, rows));
  return { since, profiles, suspects: ranked(suspects), omitted: since.suspects.length - told.length };
}

/** Verdicts that are explained at once: each reads profiles. */
const mostExplained = 20;

/**
 * What is behind those that are worse or better, the first 20 of them; verdicts of one benchmark and place share an
 * answer.
 */
export async function explainVerdicts(
  workspace: Workspace,
  verdicts: readonly Verdict[],
): Promise<ReadonlyMap<Verdict, Why>> {
  const told = verdicts.filter(({ word, since }) => (word === "worse" || word === "better") && since !== null);
  const known = new Map<string, Why | null>();
  const found = new Map<Verdict, Why>();
  for (const verdict of told.slice(0, mostExplained)) {
    const key = JSON.stringify([verdict.subject.benchmark, verdict.since?.before, verdict.since?.after]);
    if (!known.has(key)) known.set(key, await explainVerdict(workspace, verdict));
    const why = known.get(key);
    if (why) found.set(verdict, why);
  }
  return found;
}

/** Those of the same command and workload, by whatever collector; all where there are none of these. */
function profilesOf(
  workspace: Workspace,
  { before, after }: Since,
  { benchmark, key = "" }: Pick<Subject, "benchmark"> & Partial<Pick<Subject, "key">>,
): readonly ComparedProfiles[] {
  if (before === null || !workspace.hasInstance()) return [];
  const isWanted = ({ cmd, workload }: ListedProfile): boolean =>
    cmd !== "" && `${benchmark} ${key}`.includes(`${cmd} ${workload}`.trim());
  const found = versionDifferences(workspace, before, after, compared, isWanted).compared;
  return found.length > 0 ? found : versionDifferences(workspace, before, after, compared).compared;
}

async function suspectOf(workspace: Workspace, version: VersionId, rows: readonly CostChange[]): Promise<Suspect> {
  const vcs = await workspace.vcs();
  const { description, author, date } = await vcs.info(version);
  const { paths, isCut } = await vcs.filesOf(version, mostFiles);
  const subject = description.split("\n", 1)[0] ?? "";
  return { version, subject, author, date, files: paths, isCut, touched: touchedCosts(rows, paths) };
}

function ranked(suspects: readonly Suspect[]): Suspect[] {
  return suspects.toSorted((a, b) => weightOf(b) - weightOf(a));
}

function weightOf({ touched }: Suspect): number {
  return Math.max(0, ...touched.map(({ share }) => Math.abs(share)));
}

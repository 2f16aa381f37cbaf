import type { Subject } from "../../core/measurements/index.ts";
import type { ComparedProfiles, CostChange, ListedProfile, ProfileDifference } from "../../core/profiles/index.ts";
import { isUndecided, type Since, type Verdict } from "../../core/verdicts/index.ts";
import type { VersionId } from "../../core/versions/index.ts";
import { touchedCosts, type TouchedCost } from "../../query/difference/index.ts";
import { Suspects } from "../../query/history/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { History } from "../history/index.ts";
import { pooledDifferences } from "../profiles/index.ts";
import type { ProfileCheck, VersionCheck } from "./check-history.ts";

/** Possible causes of a change. */
export interface Why {
  readonly since: Since;
  /** Profile differences between the commits before and after; empty without comparable profiles. */
  readonly profiles: readonly ComparedProfiles[];
  /**
   * Commits that touched files of changed functions first (largest share of the change first), then in history order.
   */
  readonly suspects: readonly Suspect[];
  /** Number of omitted suspects, the oldest. */
  readonly omitted: number;
}

/** A commit that may have caused the change. */
export interface Suspect {
  readonly commit: VersionId;
  readonly subject: string;
  readonly author: string;
  /** Unix time in seconds. */
  readonly date: number;
  /** Changed files, sorted; `isCut`: the list is truncated. */
  readonly files: readonly string[];
  readonly truncated: boolean;
  /** Profile changes in files the commit touched, largest share first. */
  readonly touched: readonly TouchedCost[];
}

/** Limit on inspected suspects: each costs a VCS call. */
const mostSuspects = 50;
const mostFiles = 500;

/** Enough rows for ranking; fewer are shown. */
const comparison = { by: "function", isNormalised: false, minShare: 0.01, limit: 20 } as const;

/**
 * Finds possible causes of a verdict; null if it has no commit range. Fails with `unknown-revision`, `index-damaged`.
 */
export async function explainVerdict(
  workspace: Workspace,
  {
    subject,
    since,
    levels,
  }: Pick<Verdict, "since" | "levels"> & {
    readonly subject: Pick<Subject, "benchmark"> & Partial<Pick<Subject, "key">>;
  },
): Promise<Why | null> {
  if (since === null) return null;
  const sides = levels ?? { before: since.before === null ? [] : [since.before], after: [since.after] };
  const profiles = workspace.hasInstance() ? profilesOf(workspace, sides, subject) : [];
  const rows = profiles.flatMap(({ differences }) => differences.flatMap((difference) => difference.rows));
  const selected = since.suspects.slice(-mostSuspects);
  const suspects: Suspect[] = [];
  for (const version of selected) suspects.push(await suspectOf(workspace, version, rows));
  const touched = new Set(suspects.flatMap((suspect) => suspect.touched.map(({ name }) => name)));
  return {
    since,
    profiles: profiles.map((each) => ({ ...each, differences: each.differences.map((one) => byOdds(one, touched)) })),
    suspects: ranked(suspects),
    omitted: since.suspects.length - selected.length,
  };
}

/** Limit on explained verdicts: each reads profiles. */
const mostExplained = 20;

/**
 * Explains the first 20 verdicts that are worse or better; verdicts of the same benchmark and commit range share an
 * explanation.
 */
export async function explainVerdicts(
  workspace: Workspace,
  verdicts: readonly Verdict[],
): Promise<ReadonlyMap<Verdict, Why>> {
  const selected = verdicts.filter(
    ({ outcome: word, since }) => (word === "worse" || word === "better") && since !== null,
  );
  const known = new Map<string, Why | null>();
  const found = new Map<Verdict, Why>();
  for (const verdict of selected.slice(0, mostExplained)) {
    const key = JSON.stringify([verdict.subject.benchmark, verdict.since?.before, verdict.since?.after]);
    if (!known.has(key)) known.set(key, await explainVerdict(workspace, verdict));
    const why = known.get(key);
    if (why) found.set(verdict, why);
  }
  return found;
}

/** Profiles of the same command and workload, by any collector; all profiles if there are none. */
function profilesOf(
  workspace: Workspace,
  { before, after }: NonNullable<Verdict["levels"]>,
  { benchmark, key = "" }: Pick<Subject, "benchmark"> & Partial<Pick<Subject, "key">>,
): readonly ComparedProfiles[] {
  const isWanted = ({ cmd, workload }: ListedProfile): boolean =>
    cmd !== "" && `${benchmark} ${key}`.includes(`${cmd} ${workload}`.trim());
  const found = pooledDifferences(workspace, before, after, comparison, isWanted);
  return found.length > 0 ? found : pooledDifferences(workspace, before, after, comparison);
}

async function suspectOf(workspace: Workspace, version: VersionId, rows: readonly CostChange[]): Promise<Suspect> {
  const vcs = await workspace.vcs();
  const { description, author, date } = await vcs.info(version);
  const { paths, isCut } = await vcs.filesOf(version, mostFiles);
  const subject = description.split("\n", 1)[0] ?? "";
  return { commit: version, subject, author, date, files: paths, truncated: isCut, touched: touchedCosts(rows, paths) };
}

/** Odds, as their logarithm, that a function in a file which a suspect touched is the cause, next to one in another. */
const oddsOfTouched = Math.log(10);

/** The rows of pooled profiles by the odds that they are the cause: by scores, and touched files before others. */
function byOdds(difference: ProfileDifference, touched: ReadonlySet<string>): ProfileDifference {
  if (difference.pooled === undefined) return difference;
  const oddsOf = ({ name, score = 0 }: CostChange): number => score ** 2 / 2 + (touched.has(name) ? oddsOfTouched : 0);
  const rows = difference.rows.toSorted((a, b) => (oddsOf(a) === oddsOf(b) ? 0 : oddsOf(b) - oddsOf(a)));
  return { ...difference, rows };
}

function ranked(suspects: readonly Suspect[]): Suspect[] {
  return suspects.toSorted((a, b) => weightOf(b) - weightOf(a));
}

function weightOf({ touched }: Suspect): number {
  return Math.max(0, ...touched.map(({ share }) => Math.abs(share)));
}

/** Explains the changes at a commit, per profile that has any. */
export async function explainChecks(
  workspace: Workspace,
  { version, checks }: VersionCheck,
): Promise<ReadonlyMap<ProfileCheck, Why>> {
  const changed = checks.filter(
    ({ baseline, changes }) =>
      baseline !== null && changes.some((each) => each.result !== "NoChange" && !isUndecided(each)),
  );
  const found = new Map<ProfileCheck, Why>();
  if (changed.length === 0) return found;
  const history = new History(workspace);
  await history.inOrder(version.id);
  const suspects = new Suspects(history.graph);
  for (const check of changed) {
    const before = check.baseline?.version ?? null;
    const { collector, cmd, workload } = check.profile;
    const since = { before, after: version.id, suspects: suspects.between(before, version.id) };
    const why = await explainVerdict(workspace, {
      subject: { benchmark: [collector, cmd, workload].join(" ").trim() },
      since,
    });
    if (why !== null) found.set(check, why);
  }
  return found;
}

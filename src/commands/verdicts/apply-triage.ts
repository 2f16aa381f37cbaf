import type { VersionId } from "../../core/versions/digest.ts";
import type { Series } from "../../core/measurements/series.ts";
import type { TriagedVerdict, TriageEntry } from "../../core/verdicts/triage.ts";
import type { Verdict } from "../../core/verdicts/verdict.ts";
import { triageEntries } from "../../formats/store/triage.ts";
import { joinedSeries } from "../../query/triage/join-renamed-series.ts";
import { renamedKeys } from "../../query/triage/renamed-keys.ts";
import { triaged } from "../../query/triage/apply-triage.ts";
import { readTriage, triageName } from "../../workspace/verdicts/triage-file.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { orderOf } from "../history/commit-axis.ts";
import { History } from "../history/history.ts";

/**
 * Verdicts in the light of `perfkeep.triage`. `order` has the versions of history, the oldest first; without it the
 * history of the head is walked, if an entry asks for it. Fails with `bad-triage`, `circular-names`, `unreadable-file`.
 */
export async function applyTriage(
  workspace: Workspace,
  verdicts: readonly Verdict[],
  order?: readonly VersionId[],
): Promise<TriagedVerdict[]> {
  if (verdicts.every(({ word }) => word !== "worse")) return triaged(verdicts, [], [], triageName);
  const entries = triageEntries(await readTriage(workspace));
  const history =
    order ?? (needsOrder(entries, verdicts) ? (await orderOf(new History(workspace), undefined)).order : []);
  return triaged(verdicts, entries, history, triageName);
}

/** Where history is asked for at all: nothing is worse in most checks. */
function needsOrder(entries: readonly TriageEntry[], verdicts: readonly Verdict[]): boolean {
  return (
    entries.some(({ scope }) => scope.kind !== "any") &&
    verdicts.some(({ word, since }) => word === "worse" && since !== null)
  );
}

/** Series under the newest names of their subjects, those of one subject joined. `order` as above. Fails as above. */
export async function underNewNames(
  workspace: Workspace,
  series: readonly Series[],
  order: readonly VersionId[],
): Promise<Series[]> {
  const newest = renamedKeys(triageEntries(await readTriage(workspace)), triageName);
  return joinedSeries(series, newest, order);
}

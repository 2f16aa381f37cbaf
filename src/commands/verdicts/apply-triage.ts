import type { VersionId } from "../../core/versions/index.ts";
import type { Series } from "../../core/measurements/index.ts";
import type { TriagedVerdict, TriageEntry, Verdict } from "../../core/verdicts/index.ts";
import { triageEntries } from "../../formats/store/index.ts";
import { mergeRenamedSeries, renamedKeys, applyTriage } from "../../query/triage/index.ts";
import { readTriage, triageName } from "../../workspace/verdicts/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { orderOf, History } from "../history/index.ts";

/**
 * Applies `perfkeep.triage` to verdicts. `order`: commits of the history, oldest first; default: the head's history,
 * walked only if an entry needs it. Fails with `bad-triage`, `circular-names`, `unreadable-file`.
 */
export async function triageVerdicts(
  workspace: Workspace,
  verdicts: readonly Verdict[],
  order?: readonly VersionId[],
): Promise<TriagedVerdict[]> {
  if (verdicts.every(({ outcome: word }) => word !== "worse")) return applyTriage(verdicts, [], [], triageName);
  const entries = triageEntries(await readTriage(workspace));
  const history =
    order ?? (needsOrder(entries, verdicts) ? (await orderOf(new History(workspace), undefined)).order : []);
  return applyTriage(verdicts, entries, history, triageName);
}

/** Entries with a commit scope apply only to `worse` verdicts; most checks have none. */
function needsOrder(entries: readonly TriageEntry[], verdicts: readonly Verdict[]): boolean {
  return (
    entries.some(({ scope }) => scope.kind !== "any") &&
    verdicts.some(({ outcome: word, since }) => word === "worse" && since !== null)
  );
}

/**
 * Renames series to the newest names of their subjects and merges series of one subject. `order` and failures: see
 * `triageVerdicts`.
 */
export async function seriesUnderNewNames(
  workspace: Workspace,
  series: readonly Series[],
  order: readonly VersionId[],
): Promise<Series[]> {
  const newest = renamedKeys(triageEntries(await readTriage(workspace)), triageName);
  return mergeRenamedSeries(series, newest, order);
}

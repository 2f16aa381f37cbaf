import { abbreviate } from "../../../core/versions/index.ts";
import { counted } from "../../../core/text/index.ts";
import type { MergedExperiment, MergedExperiments } from "../../../store/history/index.ts";

/** Changes made by a part: non-zero counts by label ("profiles added": 3), and lines for the user. */
export interface ShareSummary {
  readonly counts: Readonly<Record<string, number>>;
  readonly notes: readonly string[];
}

/** Result of a push. */
export interface PushResult {
  readonly remote: string;
  /** False if the remote has no shared data yet. */
  readonly hasSharedData: boolean;
  /** Number of paths per part, with its nouns. */
  readonly sent: readonly PartCount[];
  readonly payloadBytes: number;
  /** Bytes sent and received as reported by git, rounded. */
  readonly wireBytes: number;
  /** How often a concurrent push was merged first. */
  readonly retries: number;
  readonly notes: readonly string[];
}

export interface PartCount {
  readonly kind: string;
  readonly noun: readonly [one: string, many: string];
  readonly count: number;
}

/** Drops zero counts. */
export function shareSummary(counts: Readonly<Record<string, number>>, notes: readonly string[] = []): ShareSummary {
  return { counts: Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0)), notes };
}

/** Maximum number of runs listed one by one. */
const maxListed = 5;

/** Summarizes merged experiments for the user. */
export function summarizeMerge({ experiments, steps }: MergedExperiments): ShareSummary {
  const counts = {
    "changes of experiments": steps,
    "experiments added": experiments.filter(({ isNew, name }) => isNew && name !== undefined).length,
  };
  return shareSummary(counts, experiments.flatMap(mergeNotes));
}

function mergeNotes(joined: MergedExperiment): string[] {
  const { uid, sharedName, name = sharedName, isNew, refused, skipped: skippedImports } = joined;
  if (refused !== undefined)
    return [`experiment ${name} is unchanged, since its local imports cannot be replayed: ${refused}`];
  const renamed =
    isNew && name !== sharedName
      ? [`experiment ${sharedName} (${abbreviate(uid)}) is named ${name} here, where another one has that name`]
      : [];
  const skipped = skippedImports
    .slice(0, maxListed)
    .map(({ paths, reason }) => `skipped in ${name}: ${paths.join(", ")}: ${reason}`);
  return [
    ...renamed,
    ...renumberedRuns(name, joined),
    ...deletedRuns(name, joined),
    ...skipped,
    ...moreNote(skippedImports.length, "import"),
  ];
}

function renumberedRuns(name: string, { numbers }: MergedExperiment): string[] {
  const lines = numbers
    .slice(0, maxListed)
    .map(({ before, after }) =>
      after === undefined
        ? `run ${before} of ${name} was removed: another user imported the same file, and that run is kept`
        : `run ${before} of ${name} is now run ${after}`,
    );
  return [...lines, ...moreNote(numbers.length, "run")];
}

/** Deletions of others, and how to undo them. */
function deletedRuns(name: string, { deleted: { experiment: whole, runs } }: MergedExperiment): string[] {
  if (whole === "dropped") return [`experiment ${name} was permanently deleted elsewhere`];
  if (whole === "hidden")
    return [`experiment ${name} was deleted elsewhere; perfkeep experiment undelete ${name} restores it for everyone`];
  if (runs.length === 0) return [];
  const list = runs.length > maxListed ? `${runs.slice(0, maxListed).join(",")},…` : runs.join(",");
  const undelete = `perfkeep experiment undelete ${name} --run ${list} restores them for everyone`;
  return [`deleted elsewhere: ${counted(runs.length, "run")} of ${name}; ${undelete}`];
}

function moreNote(count: number, what: string): string[] {
  return count > maxListed ? [`and ${counted(count - maxListed, what)} more`] : [];
}

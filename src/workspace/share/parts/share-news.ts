import { abbreviate } from "../../../core/versions/digest.ts";
import { counted } from "../../../core/text/plural.ts";
import type { JoinedExperiment, JoinedExperiments } from "../../../store/history/merge-experiments.ts";

/**
 * What became of a part: numbers by what they count ("profiles added": 3), those of zero left out, and lines for the
 * user.
 */
export interface ShareSummary {
  readonly counts: Readonly<Record<string, number>>;
  readonly notes: readonly string[];
}

/** The news of `counts`, without those of zero. */
export function shareSummary(counts: Readonly<Record<string, number>>, notes: readonly string[] = []): ShareSummary {
  return { counts: Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0)), notes };
}

/** So many runs are told of one by one. */
const maxListed = 5;

/** What a pull made of the experiments, for the user. */
export function summarizeMerge({ experiments, steps }: JoinedExperiments): ShareSummary {
  const counts = {
    "changes of experiments": steps,
    "experiments added": experiments.filter(({ isNew, name }) => isNew && name !== undefined).length,
  };
  return shareSummary(counts, experiments.flatMap(mergeNotes));
}

function mergeNotes(joined: JoinedExperiment): string[] {
  const { uid, told, name = told, isNew, refused, left } = joined;
  if (refused !== undefined)
    return [`experiment ${name} stays as it is, for what was imported here cannot be read again: ${refused}`];
  const apart =
    isNew && name !== told
      ? [`experiment ${told} (${abbreviate(uid)}) is ${name} here, where another one is called ${told}`]
      : [];
  const out = left
    .slice(0, maxListed)
    .map(({ paths, reason }) => `left out of ${name}: ${paths.join(", ")}: ${reason}`);
  return [
    ...apart,
    ...renumberedRuns(name, joined),
    ...deletedRuns(name, joined),
    ...out,
    ...moreNote(left.length, "import"),
  ];
}

function renumberedRuns(name: string, { numbers }: JoinedExperiment): string[] {
  const lines = numbers
    .slice(0, maxListed)
    .map(({ before, after }) =>
      after === undefined
        ? `run ${before} of ${name} is gone: its file was imported by somebody else, too, and that run stays`
        : `run ${before} of ${name} is run ${after} now`,
    );
  return [...lines, ...moreNote(numbers.length, "run")];
}

/** What somebody else took away, and how it comes back. */
function deletedRuns(name: string, { deleted: { whole, runs } }: JoinedExperiment): string[] {
  if (whole === "dropped") return [`experiment ${name} was deleted elsewhere, for good`];
  if (whole === "hidden")
    return [`experiment ${name} was deleted elsewhere; perfkeep experiment undelete ${name} brings it back for all`];
  if (runs.length === 0) return [];
  const told = runs.length > maxListed ? `${runs.slice(0, maxListed).join(",")},…` : runs.join(",");
  return [
    `deleted elsewhere: ${counted(runs.length, "run")} of ${name}; perfkeep experiment undelete ${name} --run ${told} brings back for all`,
  ];
}

function moreNote(count: number, what: string): string[] {
  return count > maxListed ? [`and ${counted(count - maxListed, what)} more`] : [];
}

import { abbreviate } from "../../../core/versions/digest.ts";
import { counted } from "../../../core/text/plural.ts";
import type { JoinedExperiment, JoinedExperiments } from "../../../store/history/merge-experiments.ts";
import { newsOf, type ShareNews } from "./share-part.ts";

/** So many runs are told of one by one. */
const mostTold = 5;

/** What a pull made of the experiments, for the user. */
export function newsOfJoined({ experiments, steps }: JoinedExperiments): ShareNews {
  const counts = {
    "changes of experiments": steps,
    "experiments added": experiments.filter(({ isNew, name }) => isNew && name !== undefined).length,
  };
  return newsOf(counts, experiments.flatMap(notesOf));
}

function notesOf(joined: JoinedExperiment): string[] {
  const { uid, told, name = told, isNew, refused, left } = joined;
  if (refused !== undefined)
    return [`experiment ${name} stays as it is, for what was imported here cannot be read again: ${refused}`];
  const apart =
    isNew && name !== told
      ? [`experiment ${told} (${abbreviate(uid)}) is ${name} here, where another one is called ${told}`]
      : [];
  const out = left.slice(0, mostTold).map(({ paths, reason }) => `left out of ${name}: ${paths.join(", ")}: ${reason}`);
  return [...apart, ...numbersOf(name, joined), ...deletedOf(name, joined), ...out, ...more(left.length, "import")];
}

function numbersOf(name: string, { numbers }: JoinedExperiment): string[] {
  const lines = numbers
    .slice(0, mostTold)
    .map(({ before, after }) =>
      after === undefined
        ? `run ${before} of ${name} is gone: its file was imported by somebody else, too, and that run stays`
        : `run ${before} of ${name} is run ${after} now`,
    );
  return [...lines, ...more(numbers.length, "run")];
}

/** What somebody else took away, and how it comes back. */
function deletedOf(name: string, { deleted: { whole, runs } }: JoinedExperiment): string[] {
  if (whole === "dropped") return [`experiment ${name} was deleted elsewhere, for good`];
  if (whole === "hidden")
    return [`experiment ${name} was deleted elsewhere; perfkeep experiment undelete ${name} brings it back for all`];
  if (runs.length === 0) return [];
  const told = runs.length > mostTold ? `${runs.slice(0, mostTold).join(",")},…` : runs.join(",");
  return [
    `deleted elsewhere: ${counted(runs.length, "run")} of ${name}; perfkeep experiment undelete ${name} --run ${told} brings back for all`,
  ];
}

function more(count: number, what: string): string[] {
  return count > mostTold ? [`and ${counted(count - mostTold, what)} more`] : [];
}

import { Failure, isFailure } from "../../core/failures/failure.ts";
import type { MovedRights, Experiments } from "../../store/experiments/experiments.ts";
import type { MovableExperiment, MovedExperiment, MoveStep } from "../../store/experiments/move-experiment.ts";
import {
  embeddedDatabase,
  experimentFolder,
  experimentHome,
  withExperiments,
  type ExperimentHome,
} from "../../workspace/experiments/experiments.ts";
import { interruptible } from "../../workspace/processes/interruptible.ts";
import { moveNotes } from "../../workspace/experiments/move-notes.ts";
import type { Workspace } from "../../workspace/workspace.ts";

export interface MoveOptions {
  /** Names of experiments; all that there are where none is given. */
  readonly names?: readonly string[];
  /** `embedded`, a path, or the address of a server. */
  readonly to: string;
  /** They stay here, too. */
  readonly keep?: boolean;
  readonly database?: string;
  /** So many of the rows of one experiment are written, or compared. */
  readonly progress?: (done: number, total: number, experiment: string) => void;
  readonly reached?: (step: MoveStep) => void;
  /** Told of the failure that would come if nobody waited longer. */
  readonly waiting?: (busy: Failure) => void;
}

export interface Moves<T> {
  /** The databases. */
  readonly from: string;
  readonly to: string;
  readonly experiments: readonly T[];
}

/**
 * Moves experiments to another database, one after the other, each as `moveExperiment` of the store says. When one
 * fails, those before it are moved. Fails with `unknown-experiment`, `experiment-exists`, `move-same-database`,
 * `move-overtaken`, `right-missing`.
 */
export function moveExperiments(
  workspace: Workspace,
  options: MoveOptions,
): Promise<Moves<MovedExperiment & MovedRights>> {
  const kept = "run it again: what was moved is there, the rest is as it was";
  return interruptible((check, stopped) => moveUnlessStopped(workspace, options, check, stopped), kept);
}

async function moveUnlessStopped(
  workspace: Workspace,
  options: MoveOptions,
  check: () => void,
  stopped: AbortSignal,
): Promise<Moves<MovedExperiment & MovedRights>> {
  const { keep = false, progress = () => {}, reached = () => {}, waiting } = options;
  const { from, to } = homes(workspace, options);
  const places = { from: from.database, to: to.database };
  const notes = moveNotes(experimentFolder(workspace));
  const names = await namesOf(workspace, from, options);
  if (names.length === 0 && !(await isThere(workspace, to))) return { ...places, experiments: [] };
  const work = async (source: Experiments, target: Experiments): Promise<(MovedExperiment & MovedRights)[]> => {
    const moved: (MovedExperiment & MovedRights)[] = [];
    const begun = options.names === undefined ? await source.unfinishedMoves(target, notes) : [];
    const known = names.map((name) => name.toLowerCase());
    for (const name of [...names, ...begun.filter((each) => !known.includes(each.toLowerCase()))]) {
      check();
      const now = workspace.world.now() * 1000;
      const shown = (done: number, total: number): void => (check(), progress(done, total, name));
      moved.push(await source.moveTo(target, name, places, { keep, now, notes, reached, progress: shown }));
    }
    return moved;
  };
  const experiments = await withExperiments(
    workspace,
    from,
    keep ? "read" : "write",
    async (source) => {
      await requireSomething(workspace, source, names, to);
      return withExperiments(workspace, to, "write", (target) => work(source, target), waiting, stopped);
    },
    waiting,
    stopped,
  );
  return { ...places, experiments };
}

/** What would be moved; changes nothing. Fails as the move would at its beginning. */
export async function movableExperiments(
  workspace: Workspace,
  options: MoveOptions,
): Promise<Moves<MovableExperiment>> {
  const { keep = false, waiting } = options;
  const { from, to } = homes(workspace, options);
  const places = { from: from.database, to: to.database };
  const names = await namesOf(workspace, from, options);
  const look = (source: Experiments, target?: Experiments): Promise<MovableExperiment[]> =>
    inOrder(names, (name) => source.movable(target, name, places, keep));
  const experiments = await withExperiments(workspace, from, "read", async (source) => {
    try {
      return await withExperiments(workspace, to, "read", (target) => look(source, target), waiting);
    } catch (error) {
      if (!isFailure(error, "no-database")) throw error;
      return look(source);
    }
  });
  return { ...places, experiments };
}

async function inOrder<T>(names: readonly string[], work: (name: string) => Promise<T>): Promise<T[]> {
  const answers: T[] = [];
  for (const name of names) answers.push(await work(name));
  return answers;
}

function homes(
  workspace: Workspace,
  { to: named, database }: MoveOptions,
): { readonly from: ExperimentHome; readonly to: ExperimentHome } {
  const from = experimentHome(workspace, database);
  const to = experimentHome(workspace, named === "embedded" ? embeddedDatabase(workspace) : named);
  if (from.database === to.database) throw new Failure("move-same-database", { location: to.database });
  return { from, to };
}

/** No database is made for nothing. What is not here any more may be there already: a move that was killed. */
async function requireSomething(
  workspace: Workspace,
  source: Experiments,
  names: readonly string[],
  to: ExperimentHome,
): Promise<void> {
  const [first] = names;
  if (first === undefined) return;
  try {
    await source.find(first);
  } catch (unknown) {
    if (!(await isThere(workspace, to))) throw unknown;
  }
}

async function isThere(workspace: Workspace, home: ExperimentHome): Promise<boolean> {
  try {
    await withExperiments(workspace, home, "read", async () => {});
    return true;
  } catch (error) {
    if (isFailure(error, "no-database")) return false;
    throw error;
  }
}

async function namesOf(
  workspace: Workspace,
  from: ExperimentHome,
  { names, waiting }: MoveOptions,
): Promise<readonly string[]> {
  if (names !== undefined) return names;
  return withExperiments(
    workspace,
    from,
    "read",
    async (source) => (await source.list()).map(({ name }) => name),
    waiting,
  );
}

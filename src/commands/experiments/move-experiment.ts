import { Failure, isFailure } from "../../core/failures/index.ts";
import type {
  MovedRights,
  Experiments,
  MovableExperiment,
  MovedExperiment,
  MoveStep,
} from "../../store/experiments/index.ts";
import {
  embeddedDatabase,
  experimentFolder,
  experimentHome,
  withExperiments,
  type ExperimentHome,
  moveNotes,
} from "../../workspace/experiments/index.ts";
import { interruptible } from "../../workspace/processes/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";

export interface MoveOptions {
  /** Names of experiments; default: all. */
  readonly names?: readonly string[];
  /** `embedded`, a path, or a server address. */
  readonly to: string;
  /** Keep the originals. */
  readonly keep?: boolean;
  readonly database?: string;
  /** Rows of one experiment that were written or compared. */
  readonly progress?: (done: number, total: number, experiment: string) => void;
  readonly reached?: (step: MoveStep) => void;
  /** Called while waiting for a busy database. */
  readonly waiting?: (busy: Failure) => void;
}

export interface Moves<T> {
  /** Database paths or addresses. */
  readonly from: string;
  readonly to: string;
  readonly experiments: readonly T[];
}

/**
 * Moves experiments to another database, one after the other (see `moveExperiment` of the store). After a failure,
 * earlier ones stay moved. Fails with `unknown-experiment`, `experiment-exists`, `move-same-database`,
 * `move-overtaken`, `right-missing`.
 */
export function moveExperiments(
  workspace: Workspace,
  options: MoveOptions,
): Promise<Moves<MovedExperiment & MovedRights>> {
  const hint = "run it again: finished experiments stay moved, the others are unchanged";
  return interruptible((check, stopped) => moveUnlessStopped(workspace, options, check, stopped), hint);
}

async function moveUnlessStopped(
  workspace: Workspace,
  options: MoveOptions,
  check: () => void,
  stopped: AbortSignal,
): Promise<Moves<MovedExperiment & MovedRights>> {
  const { keep = false, progress = () => {}, reached = () => {}, waiting } = options;
  const { from, to } = homes(workspace, options);
  const databases = { from: from.database, to: to.database };
  const notes = moveNotes(experimentFolder(workspace));
  const names = await namesOf(workspace, from, options);
  if (names.length === 0 && !(await hasDatabase(workspace, to))) return { ...databases, experiments: [] };
  const work = async (source: Experiments, target: Experiments): Promise<(MovedExperiment & MovedRights)[]> => {
    const moved: (MovedExperiment & MovedRights)[] = [];
    const unfinished = options.names === undefined ? await source.unfinishedMoves(target, notes) : [];
    const known = names.map((name) => name.toLowerCase());
    for (const name of [...names, ...unfinished.filter((each) => !known.includes(each.toLowerCase()))]) {
      check();
      const now = workspace.time();
      const shown = (done: number, total: number): void => (check(), progress(done, total, name));
      moved.push(await source.moveTo(target, name, databases, { keep, now, notes, onStep: reached, progress: shown }));
    }
    return moved;
  };
  const experiments = await withExperiments(
    workspace,
    from,
    keep ? "read" : "write",
    async (source) => {
      await requireFirst(workspace, source, names, to);
      return withExperiments(workspace, to, "write", (target) => work(source, target), waiting, stopped);
    },
    waiting,
    stopped,
  );
  return { ...databases, experiments };
}

/** Lists what would be moved without changing anything. Fails like the start of the move. */
export async function movableExperiments(
  workspace: Workspace,
  options: MoveOptions,
): Promise<Moves<MovableExperiment>> {
  const { keep = false, waiting } = options;
  const { from, to } = homes(workspace, options);
  const databases = { from: from.database, to: to.database };
  const names = await namesOf(workspace, from, options);
  const list = (source: Experiments, target?: Experiments): Promise<MovableExperiment[]> =>
    inOrder(names, (name) => source.movable(target, name, databases, keep));
  const experiments = await withExperiments(workspace, from, "read", async (source) => {
    try {
      return await withExperiments(workspace, to, "read", (target) => list(source, target), waiting);
    } catch (error) {
      if (!isFailure(error, "no-database")) throw error;
      return list(source);
    }
  });
  return { ...databases, experiments };
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

/**
 * Creates no database for an unknown experiment. An experiment missing here may already be in the target after a killed
 * move.
 */
async function requireFirst(
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
    if (!(await hasDatabase(workspace, to))) throw unknown;
  }
}

async function hasDatabase(workspace: Workspace, home: ExperimentHome): Promise<boolean> {
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

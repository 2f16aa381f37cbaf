import { Failure } from "../../core/failures/failure.ts";
import type { Experiment } from "../../core/experiments/experiment.ts";
import { descriptionText } from "../../formats/descriptions/description-text.ts";
import { otherKind, readExperiment } from "../../formats/descriptions/experiment/read-experiment.ts";
import { experimentHome, withExperiments } from "../../workspace/experiments/experiments.ts";
import type { Workspace } from "../../workspace/workspace.ts";

export interface CreateExperimentOptions {
  /** The experiment description, in either spelling. */
  readonly file: string;
  /** Another name than the description's. */
  readonly name?: string;
  readonly database?: string;
  /** Asks whether to log in at a server that only the description names; where nobody can be asked, that is refused. */
  readonly confirmServer?: (address: string) => Promise<boolean>;
}

export interface CreatedExperiment {
  readonly experiment: Experiment;
  readonly database: string;
  /** There is no instance around the user, and this is the first experiment in the user's own folder. */
  readonly isFirstOfUser?: true;
}

/**
 * Makes an experiment from its description. Fails with `description-error`, `experiment-exists`, `server-not-named`.
 */
export async function createExperiment(
  workspace: Workspace,
  options: CreateExperimentOptions,
): Promise<CreatedExperiment> {
  const described = readDescription(workspace, options.file);
  const experiment = options.name === undefined ? described : { ...described, name: options.name };
  const named = options.database ?? workspace.world.environment["PERFKEEP_DB"];
  const home = experimentHome(workspace, named ?? (await placeAskedFor(described, options)));
  const { world } = workspace;
  const isFirst = home.isOwnFolder && workspace.files.inspect(home.database) === null;
  await withExperiments(workspace, home, "write", (experiments) =>
    experiments.create(experiment, world.now() * 1000, world.environment["USER"] || undefined),
  );
  return { experiment, database: home.database, ...(isFirst ? { isFirstOfUser: true } : {}) };
}

/** The name of the experiment that a description describes. Fails with `description-error`. */
export function describedName(workspace: Workspace, file: string): string {
  return readDescription(workspace, file).name;
}

/**
 * Where a description asks for the experiment to live: a path, or a server, which is named only. Fails with
 * `description-error`.
 */
export function describedPlace(workspace: Workspace, file: string): { readonly path?: string; readonly host?: string } {
  const { database } = readDescription(workspace, file);
  if (database?.host !== undefined) return { host: database.host };
  return database === undefined ? {} : { path: database.name };
}

function readDescription(workspace: Workspace, file: string): Experiment {
  const text = descriptionText(workspace.files.read(file), file);
  const kind = otherKind(text, file);
  if (kind === undefined) return readExperiment(text, file);
  const [what, advice] = others[kind];
  throw new Failure("description-error", {
    file,
    line: 1,
    column: 1,
    problem: `this describes ${what}, not an experiment`,
    advice,
  });
}

/** What descriptions of other things are, and what takes them. */
const others = {
  update: ["an update", "perfkeep experiment update takes it"],
  input: ["an input", "perfkeep import -d takes it, once there is an experiment"],
  query: ["a query", "perfkeep query -d takes it"],
  plot: ["a plot", "perfkeep plot -p takes it"],
} as const;

/** A description may come from anywhere, and who logs in at a server may tell it a password. */
async function placeAskedFor(
  described: Experiment,
  { file, confirmServer }: CreateExperimentOptions,
): Promise<string | undefined> {
  const place = placeOf(described);
  if (place === undefined || described.database?.host === undefined || (await confirmServer?.(place))) return place;
  throw new Failure("server-not-named", { file, address: place });
}

/** The database that a description asks for: a path, or a server; undefined where it asks for none. */
function placeOf({ database }: Experiment): string | undefined {
  if (database?.host === undefined) return database?.name;
  const { host, port, user, name } = database;
  const who = user === undefined ? "" : `${encodeURIComponent(user)}@`;
  return `postgres://${who}${host}${port === undefined ? "" : `:${port}`}/${encodeURIComponent(name)}`;
}

import { Failure } from "../../core/failures/index.ts";
import { requireExperimentName, type Experiment } from "../../core/experiments/index.ts";
import { descriptionText, otherKind, readExperiment } from "../../formats/descriptions/index.ts";
import { experimentHome, withExperiments } from "../../workspace/experiments/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";

export interface CreateExperimentOptions {
  /** Experiment description, as text or XML. */
  readonly file: string;
  /** Default: the name in the description. */
  readonly name?: string;
  readonly database?: string;
  /** As in perfbase: a description without a parameter is accepted. */
  readonly likePerfbase?: boolean;
  /** Confirms a login to a server that only the description names; without it, such servers are refused. */
  readonly confirmServer?: (address: string) => Promise<boolean>;
}

export interface CreatedExperiment {
  readonly experiment: Experiment;
  readonly database: string;
  /** This is the first experiment in the user's own folder, outside of any instance. */
  readonly isFirstOfUser?: true;
}

/**
 * Creates an experiment from its description. Fails with `description-error`, `bad-name`, `experiment-exists`,
 * `server-not-named`.
 */
export async function createExperiment(
  workspace: Workspace,
  options: CreateExperimentOptions,
): Promise<CreatedExperiment> {
  const described = readDescription(workspace, options.file);
  if (options.likePerfbase !== true) requireParameter(described, options.file);
  if (options.name !== undefined) requireExperimentName(options.name);
  const experiment = options.name === undefined ? described : { ...described, name: options.name };
  const named = options.database ?? workspace.world.environment["PERFKEEP_DB"];
  const home = experimentHome(workspace, named ?? (await confirmedDatabase(described, options)));
  const isFirst = home.isOwnFolder && workspace.files.inspect(home.database) === null;
  await withExperiments(workspace, home, "write", (experiments) =>
    experiments.create(experiment, workspace.time(), workspace.world.environment["USER"] || undefined),
  );
  return { experiment, database: home.database, ...(isFirst ? { isFirstOfUser: true } : {}) };
}

/** Experiments of known formats may have no parameter, but a description needs one. */
function requireParameter({ variables }: Experiment, file: string): void {
  if (variables.some(({ role }) => role === "parameter")) return;
  throw new Failure("description-error", {
    file,
    line: 1,
    column: 1,
    problem: "there is no parameter, at least one is needed",
    advice: "add what distinguishes the measurements, such as *parameter host string - once",
  });
}

/** Experiment name in a description. Fails with `description-error`. */
export function describedName(workspace: Workspace, file: string): string {
  return readDescription(workspace, file).name;
}

/** Database named by a description: a path, or the host of a server. Fails with `description-error`. */
export function describedDatabase(
  workspace: Workspace,
  file: string,
): { readonly path?: string; readonly host?: string; readonly server?: NonNullable<Experiment["database"]> } {
  const { database } = readDescription(workspace, file);
  if (database?.host !== undefined) return { host: database.host, server: database };
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

/** Other kinds of descriptions, and the commands that read them. */
const others = {
  update: ["an update", "perfkeep experiment update takes it"],
  input: ["an input", "perfkeep import -d takes it, once there is an experiment"],
  query: ["a query", "perfkeep query -d takes it"],
  plot: ["a plot", "perfkeep plot -p takes it"],
} as const;

/** Asks before using a server named by the description: a login may send it a password. */
async function confirmedDatabase(
  described: Experiment,
  { file, confirmServer }: CreateExperimentOptions,
): Promise<string | undefined> {
  const address = databaseAddress(described);
  if (address === undefined || described.database?.host === undefined || (await confirmServer?.(address)))
    return address;
  throw new Failure("server-not-named", { file, address });
}

/** Database named by a description, as a path or server address; undefined if none. */
function databaseAddress({ database }: Experiment): string | undefined {
  if (database?.host === undefined) return database?.name;
  const { host, port, user, name } = database;
  const who = user === undefined ? "" : `${encodeURIComponent(user)}@`;
  return `postgres://${who}${host}${port === undefined ? "" : `:${port}`}/${encodeURIComponent(name)}`;
}

import { redactLogin } from "../../core/text/index.ts";
import { Failure, isFailure } from "../../core/failures/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import type { Engine, ShardServer, EnginePlugin } from "../../plugins/engines/engine.ts";
import type { StoredExperiment } from "../../store/catalogue/index.ts";
import { linkIfAbsent, makeFolder, removeDurably, sweepFolder, temporaryName } from "../../store/durable/index.ts";
import { Experiments } from "../../store/experiments/index.ts";
import { Objects } from "../../store/objects/index.ts";
import { recordedHead } from "../../store/ledger/index.ts";
import { newestLayout, layoutOf, migrate } from "../../store/schema/index.ts";
import type { Workspace } from "../workspace.ts";
import { headsOf, recordChanges, requireChanges } from "./recorded-changes.ts";
import { identityOf, recoverDatabase } from "./recover-database.ts";
import { existsSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";

/** Where experiments are stored: in the instance, else in the user's data folder. */
export interface ExperimentHome {
  /** Path of a database, or URL of a server. */
  readonly database: string;
  /** Imported files and descriptions. */
  readonly objects: Objects;
  /** True for the default location outside of an instance: the user's data folder. */
  readonly isOwnFolder: boolean;
  /** The file that records the last change of an embedded database. */
  readonly head?: string;
  /** Those of the other databases whose objects are in the same store. */
  readonly otherHeads: () => readonly string[];
  /** Whether it is the default database: others are files of the user, who may copy an earlier state back. */
  readonly isDefault: boolean;
}

/** The file of the default embedded database. */
export const embeddedFile = "experiments.duckdb";

/** The default embedded database, regardless of PERFKEEP_DB. */
export function embeddedDatabase(workspace: Workspace): string {
  return join(experimentFolder(workspace), embeddedFile);
}

/** Folder of experiment data: the instance, else the user's data folder. */
export function experimentFolder(workspace: Workspace): string {
  return workspace.hasInstance() ? workspace.perun() : userFolder(workspace);
}

/** The location: `database` if given, else PERFKEEP_DB, else `experiments.duckdb` in `.perun` or PERFKEEP_HOME. */
export function experimentHome(workspace: Workspace, database?: string): ExperimentHome {
  const folder = experimentFolder(workspace);
  const location = database ?? workspace.world.environment["PERFKEEP_DB"] ?? "";
  if (isServer(location) && workspace.registry.engineOf(location) === undefined)
    throw new Failure("database-address", {
      address: redactLogin(location),
      reason: "only files and postgres:// URLs are supported",
    });
  const path =
    location === "" ? join(folder, embeddedFile) : isServer(location) ? location : workspace.files.resolve(location);
  const databaseFolder = location === "" || isServer(location) ? folder : dirname(path);
  const objectsParent = workspace.hasInstance() ? workspace.perun() : databaseFolder;
  const isDefault = path === join(folder, embeddedFile);
  const heads = headsOf(join(folder, embeddedFile), objectsParent, path);
  const objects = new Objects(join(objectsParent, "objects"), join(objectsParent, "quarantine"));
  return {
    database: path,
    objects,
    isOwnFolder: location === "" && !workspace.hasInstance(),
    isDefault,
    ...(isServer(path) ? {} : { head: heads.own }),
    otherHeads: heads.others,
  };
}

/**
 * Opens the experiments; mode "write" creates the database. Fails with `no-database`, `database-busy`,
 * `database-damaged`.
 */
async function openExperiments(
  workspace: Workspace,
  home: ExperimentHome,
  mode: "read" | "write",
  patience?: number,
): Promise<Experiments> {
  const plugin = await workspace.registry.get("engine", workspace.registry.engineOf(home.database) ?? "duckdb");
  if (mode === "write" && !isServer(home.database)) await makeDatabase(home.database, plugin);
  const { world } = workspace;
  const recorded = home.isDefault ? recordedHead(home.head) : null;
  const engine = await plugin.open(home.database, mode, patience, world.environment, () => world.random());
  for (const warning of engine.warnings) world.warn?.(warning);
  try {
    const layout = mode === "write" ? newestLayout : await layoutOf(engine);
    if (layout === 0) throw new Failure("no-database", { path: home.database });
    if (layout < newestLayout) return await migrateAndReopen(workspace, home, engine);
    if (mode === "write") await migrate(engine);
    if (recorded !== null) await requireChanges(engine, home.database, home.objects, recorded);
    if (mode === "write" && home.head !== undefined) recordChanges(engine, home.head, world);
    return new Experiments(engine, home.objects);
  } catch (error) {
    await engine.close();
    throw error;
  }
}

/** The database of another server, for shards of experiments. Fails with `database-address`, `data-server-password`. */
export async function openShardServer(workspace: Workspace, url: string): Promise<ShardServer> {
  const name = workspace.registry.engineOf(url);
  const plugin = name === undefined ? undefined : await workspace.registry.get("engine", name);
  if (plugin?.openShardServer === undefined)
    throw new Failure("database-address", {
      address: redactLogin(url).slice(0, 100),
      reason: "a data server must be a postgres:// URL",
    });
  const server = plugin.openShardServer(url, workspace.world.environment);
  for (const warning of server.engine.warnings) workspace.world.warn?.(warning);
  return server;
}

/** Migrates a database of an older version before it is read. */
async function migrateAndReopen(workspace: Workspace, home: ExperimentHome, reader: Engine): Promise<Experiments> {
  await reader.close();
  await (await openExperiments(workspace, home, "write")).close();
  return openExperiments(workspace, home, "read");
}

/** Milliseconds to wait for a lock before reporting it, and in total: large imports take a while. */
const [silentWaitMs, totalWaitMs] = [1000, 300_000];

/**
 * Opens the experiments, calls `work` and closes them. `waiting` receives the failure that a longer wait may avoid.
 * Aborting `stopped` ends the wait and cancels the running statement. A damaged database is rebuilt: before `work` if
 * it cannot be opened, else after it, and then fails with `database-rebuilt`.
 */
export async function withExperiments<T>(
  workspace: Workspace,
  home: ExperimentHome,
  mode: "read" | "write",
  work: (experiments: Experiments) => Promise<T>,
  waiting?: (busy: Failure) => void,
  stopped?: AbortSignal,
): Promise<T> {
  const open = (): Promise<Experiments> =>
    waiting ? openWithRetry(workspace, home, mode, waiting) : openExperiments(workspace, home, mode);
  const file = identityOf(home.database);
  const opening = open().catch(async (error: unknown) => {
    if (await recoverDatabase(workspace, home.database, error, file)) return open();
    throw error;
  });
  const experiments = await (stopped ? openUnlessAborted(stopped, opening) : opening);
  const cancel = (): void => void experiments.cancel();
  stopped?.addEventListener("abort", cancel);
  try {
    return await work(experiments);
  } catch (error) {
    await experiments.close();
    if (await recoverDatabase(workspace, home.database, error, file))
      throw new Failure("database-rebuilt", { path: home.database });
    throw error;
  } finally {
    stopped?.removeEventListener("abort", cancel);
    await experiments.close();
  }
}

/** An experiment, and the location of its database; default: that of `experimentHome`. */
interface NamedExperiment {
  readonly experiment: string;
  readonly database?: string | undefined;
}

/** Like `withExperiments`, for work on one experiment. Fails with `unknown-experiment`. */
export function withExperiment<T>(
  workspace: Workspace,
  { experiment, database }: NamedExperiment,
  mode: "read" | "write",
  work: (stored: StoredExperiment, experiments: Experiments) => Promise<T>,
): Promise<T> {
  return withExperiments(workspace, experimentHome(workspace, database), mode, async (experiments) =>
    work(await experiments.find(experiment), experiments),
  );
}

/** Closes experiments that are opened after the abort. */
function openUnlessAborted(stopped: AbortSignal, opening: Promise<Experiments>): Promise<Experiments> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      reject(stopped.reason);
      opening.then((late) => late.close()).catch(() => {});
    };
    if (stopped.aborted) return stop();
    stopped.addEventListener("abort", stop);
    opening.then(resolve, reject).finally(() => stopped.removeEventListener("abort", stop));
  });
}

async function openWithRetry(
  workspace: Workspace,
  home: ExperimentHome,
  mode: "read" | "write",
  waiting: (busy: Failure) => void,
): Promise<Experiments> {
  try {
    return await openExperiments(workspace, home, mode, silentWaitMs);
  } catch (error) {
    if (!isFailure(error, "database-busy") && !isFailure(error, "database-full")) throw error;
    waiting(error);
    return openExperiments(workspace, home, mode, totalWaitMs);
  }
}

/** Whether the location is the address of a server instead of a path. */
export function isServer(database: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(database);
}

/** PERFKEEP_HOME, else the XDG data folder. */
function userFolder(workspace: Workspace): string {
  const { environment } = workspace.world;
  const own = environment["PERFKEEP_HOME"];
  if (own) return workspace.files.resolve(own);
  const data = environment["XDG_DATA_HOME"];
  return join(data && isAbsolute(data) ? data : join(workspace.home(), ".local", "share"), "perfkeep");
}

/**
 * Creates an empty embedded database unless there is one. Builds it under a temporary name and renames it: a killed
 * engine may leave a file that cannot be opened. Keeps a database created meanwhile by another process.
 */
export async function makeDatabase(path: string, plugin: EnginePlugin): Promise<void> {
  if (existsSync(path)) return;
  const folder = dirname(path);
  makeFolder(folder);
  sweepFolder(folder);
  const temporary = join(folder, temporaryName());
  try {
    const engine = await plugin.open(temporary, "write");
    try {
      await migrate(engine);
      await engine.checkpoint?.();
    } finally {
      await engine.close();
    }
    linkIfAbsent(temporary, path);
  } finally {
    for (const each of [temporary, `${temporary}.wal`]) removeDurably(each);
  }
}

/**
 * Names of experiments, for completion. Empty if reading them takes more than a look: a server, a locked database, or
 * one that needs migration. Fails with `no-database`, `database-busy`, `database-damaged`.
 */
export async function experimentNames(workspace: Workspace): Promise<readonly string[]> {
  return (await peek(workspace, (experiments) => experiments.list()))?.map(({ name }) => name) ?? [];
}

/** Variables of an experiment, under the same conditions. Fails with `unknown-experiment` as well. */
export async function experimentVariables(workspace: Workspace, name: string): Promise<readonly Variable[]> {
  return (await peek(workspace, (experiments) => experiments.find(name)))?.experiment.variables ?? [];
}

async function peek<T>(workspace: Workspace, look: (experiments: Experiments) => Promise<T>): Promise<T | undefined> {
  const { database, objects } = experimentHome(workspace);
  if (isServer(database)) return undefined;
  const engine = await (await workspace.registry.get("engine", "duckdb")).open(database, "read", 0);
  try {
    if ((await layoutOf(engine)) !== newestLayout) return undefined;
    return await look(new Experiments(engine, objects));
  } finally {
    await engine.close();
  }
}

import { Failure, isFailure } from "../../core/failures/failure.ts";
import type { Variable } from "../../core/variables/variable.ts";
import type { Engine, ShardServer, EnginePlugin } from "../../plugins/engines/engine.ts";
import { linkIfAbsent, makeFolder, removeDurably } from "../../store/durable/durable-file.ts";
import { sweepFolder, temporaryName } from "../../store/durable/temporary-files.ts";
import { Experiments } from "../../store/experiments/experiments.ts";
import { Objects } from "../../store/objects/objects.ts";
import { newestLayout, layoutOf, migrate } from "../../store/schema/schema.ts";
import type { Workspace } from "../workspace.ts";
import { existsSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";

/** Where experiments live: in the instance around the user, else in the user's own folder. */
export interface ExperimentHome {
  /** A path, or the address of a server. */
  readonly database: string;
  /** Raw files and descriptions that were imported. */
  readonly objects: Objects;
  /** Nobody chose the place, and there is no instance: it is the user's own folder. */
  readonly isOwnFolder: boolean;
}

/** The embedded database of this place, whatever PERFKEEP_DB says. */
export function embeddedDatabase(workspace: Workspace): string {
  return join(experimentFolder(workspace), "experiments.duckdb");
}

/** What belongs to experiments besides their databases: the instance around the user, else the user's own folder. */
export function experimentFolder(workspace: Workspace): string {
  return workspace.hasInstance() ? workspace.perun() : userFolder(workspace);
}

/** `database`: what the user named; else PERFKEEP_DB, else `experiments.duckdb` in `.perun` or PERFKEEP_HOME. */
export function experimentHome(workspace: Workspace, database?: string): ExperimentHome {
  const folder = experimentFolder(workspace);
  const named = database ?? workspace.world.environment["PERFKEEP_DB"] ?? "";
  const path =
    named === "" ? join(folder, "experiments.duckdb") : isServer(named) ? named : workspace.files.resolve(named);
  const beside = named === "" || isServer(named) ? folder : dirname(path);
  const kept = workspace.hasInstance() ? workspace.perun() : beside;
  const objects = new Objects(join(kept, "objects"), join(kept, "quarantine"));
  return { database: path, objects, isOwnFolder: named === "" && !workspace.hasInstance() };
}

/**
 * Opens the experiments there; mode "write" makes the database. Fails with `no-database`, `database-busy`,
 * `database-damaged`.
 */
async function openExperiments(
  workspace: Workspace,
  home: ExperimentHome,
  mode: "read" | "write",
  patience?: number,
): Promise<Experiments> {
  const plugin = await workspace.registry.get("engine", isServer(home.database) ? "postgres" : "duckdb");
  if (mode === "write" && !isServer(home.database)) await makeDatabase(home.database, plugin);
  const { world } = workspace;
  const engine = await plugin.open(home.database, mode, patience, world.environment, () => world.random());
  for (const warning of engine.warnings) world.warn?.(warning);
  try {
    const layout = mode === "write" ? newestLayout : await layoutOf(engine);
    if (layout === 0) throw new Failure("no-database", { path: home.database });
    if (layout < newestLayout) return await migrateAndReopen(workspace, home, engine);
    if (mode === "write") await migrate(engine);
    return new Experiments(engine, home.objects);
  } catch (error) {
    await engine.close();
    throw error;
  }
}

/**
 * The database of another server, as a place for parts of experiments. Fails with `database-address`,
 * `data-server-password`.
 */
export async function openShardServer(workspace: Workspace, url: string): Promise<ShardServer> {
  const plugin = await workspace.registry.get("engine", "postgres");
  if (!isServer(url) || plugin.openShardServer === undefined)
    throw new Failure("database-address", {
      address: url.slice(0, 12),
      reason: "a data server is named by postgres://…",
    });
  const server = plugin.openShardServer(url, workspace.world.environment);
  for (const warning of server.engine.warnings) workspace.world.warn?.(warning);
  return server;
}

/** A database of an older program gets the newest layout before it is read. */
async function migrateAndReopen(workspace: Workspace, home: ExperimentHome, reader: Engine): Promise<Experiments> {
  await reader.close();
  await (await openExperiments(workspace, home, "write")).close();
  return openExperiments(workspace, home, "read");
}

/**
 * Milliseconds: who waits longer than the first is told for whom, and gives up after the second, as large imports take
 * a while.
 */
const [silentWaitMs, totalWaitMs] = [1000, 300_000];

/**
 * Opens, works and closes, whatever happens. `waiting` is told of the failure that would come if nobody waited longer.
 * When `stopped` is told, waiting ends and so does the statement that runs: what is done fails, unless it is over
 * already.
 */
export async function withExperiments<T>(
  workspace: Workspace,
  home: ExperimentHome,
  mode: "read" | "write",
  work: (experiments: Experiments) => Promise<T>,
  waiting?: (busy: Failure) => void,
  stopped?: AbortSignal,
): Promise<T> {
  const opening = waiting ? openWithRetry(workspace, home, mode, waiting) : openExperiments(workspace, home, mode);
  const experiments = await (stopped ? openUnlessAborted(stopped, opening) : opening);
  const cancel = (): void => void experiments.cancel();
  stopped?.addEventListener("abort", cancel);
  try {
    return await work(experiments);
  } finally {
    stopped?.removeEventListener("abort", cancel);
    await experiments.close();
  }
}

/** What is opened after the stop is closed again. */
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

/** Whether a server keeps that database. */
export function isServer(database: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(database);
}

/** PERFKEEP_HOME, else where data of programs belong (XDG). */
function userFolder(workspace: Workspace): string {
  const { environment } = workspace.world;
  const own = environment["PERFKEEP_HOME"];
  if (own) return workspace.files.resolve(own);
  const data = environment["XDG_DATA_HOME"];
  return join(data && isAbsolute(data) ? data : join(workspace.home(), ".local", "share"), "perfkeep");
}

/**
 * Makes an embedded database without experiments at `path`, unless there is one. It is made beside its place and put
 * there whole: an engine that is killed while it begins a file leaves one that nobody can open. What another process
 * put there meanwhile stays.
 */
export async function makeDatabase(path: string, plugin: EnginePlugin): Promise<void> {
  if (existsSync(path)) return;
  const folder = dirname(path);
  makeFolder(folder);
  sweepFolder(folder);
  const beside = join(folder, temporaryName());
  try {
    const engine = await plugin.open(beside, "write");
    try {
      await migrate(engine);
      await engine.execute("checkpoint");
    } finally {
      await engine.close();
    }
    linkIfAbsent(beside, path);
  } finally {
    for (const each of [beside, `${beside}.wal`]) removeDurably(each);
  }
}

/**
 * Names of the experiments of a database that is a file. None where that needs more than a look: a server that has to
 * be reached, a database that somebody writes, one of an older layout that would be renewed. Fails with `no-database`,
 * `database-busy`, `database-damaged`.
 */
export async function experimentNames(workspace: Workspace): Promise<readonly string[]> {
  return (await peek(workspace, (experiments) => experiments.list()))?.map(({ name }) => name) ?? [];
}

/** Variables of an experiment, as far as a look tells as above. Fails with `unknown-experiment` as well. */
export async function experimentVariables(workspace: Workspace, name: string): Promise<readonly Variable[]> {
  return (await peek(workspace, (experiments) => experiments.find(name)))?.experiment.variables ?? [];
}

async function peek<T>(workspace: Workspace, look: (experiments: Experiments) => Promise<T>): Promise<T | undefined> {
  const { database, objects } = experimentHome(workspace);
  if (database.includes("://")) return undefined;
  const engine = await (await workspace.registry.get("engine", "duckdb")).open(database, "read", 0);
  try {
    if ((await layoutOf(engine)) !== newestLayout) return undefined;
    return await look(new Experiments(engine, objects));
  } finally {
    await engine.close();
  }
}

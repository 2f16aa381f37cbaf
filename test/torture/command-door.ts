import childProcess from "node:child_process";
import { createHash } from "node:crypto";
import { EventEmitter } from "node:events";
import { closeSync, openSync, readFileSync, rmSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { reportFailure } from "../../src/cli/failure-line.ts";
import { frontEndFor } from "../../src/cli/front-end.ts";
import { Session } from "../../src/cli/session.ts";
import { duckdb } from "../../src/plugins/engines/duckdb.ts";
import type { Engine } from "../../src/plugins/engines/engine.ts";
import { experimentDigest } from "../../src/store/dump/index.ts";
import { recordsOf } from "../../src/store/schema/index.ts";

/** What a command printed, and its exit status. */
export interface CommandResult {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** `directory`: where the command runs. `now`: its clock, milliseconds since 1970. */
export interface CommandWorld {
  readonly directory: string;
  readonly now: number;
  readonly environment: Readonly<Record<string, string>>;
  /** A folder for what is printed. */
  readonly scratch: string;
}

let commands = 0;

/**
 * Runs a command of the program in this process, as `src/cli/main.ts` does. Changes the working directory of the
 * process: one command at a time.
 */
export async function runCommand(words: readonly string[], place: CommandWorld): Promise<CommandResult> {
  process.chdir(place.directory);
  const path = join(place.scratch, `printed-${process.pid}-${commands++}`);
  const fd = openSync(path, "w");
  let stderr = "";
  const stream = (write: (text: string) => void): unknown => ({
    fd,
    isTTY: false,
    writableLength: 0,
    write: (text: string) => (write(text), true),
    emit: () => false,
  });
  const warn = (text: string): void => void (stderr += `${text}\n`);
  const streams = { stdout: stream(() => {}), stderr: stream((text) => (stderr += text)) };
  const world = {
    directory: place.directory,
    environment: place.environment,
    now: () => place.now,
    random: () => 0.5,
    command: "torture",
    hasTerminal: false,
    warn,
  };
  const session = new Session(world, streams as ConstructorParameters<typeof Session>[1]);
  let status: number;
  try {
    status = await (await frontEndFor("perfkeep")).run(words, session);
    await session.close();
  } catch (error) {
    session.output.discard();
    const report = reportFailure(error, "perfkeep", false, false);
    stderr += `${report.line}\n`;
    status = report.status;
  }
  closeSync(fd);
  const stdout = readFileSync(path, "utf8");
  rmSync(path);
  return { status, stdout, stderr };
}

/** Reads the database that a command reads, before the command closes it. */
let readOnClose: ((engine: Engine) => Promise<void>) | undefined;
let isWatching = false;

/** Lets `readOnClose` see all databases. */
async function watchClosing(folder: string): Promise<void> {
  if (isWatching) return;
  isWatching = true;
  const engine = await duckdb.open(join(folder, `watched-${process.pid}.duckdb`), "write");
  const prototype = Object.getPrototypeOf(engine) as Engine;
  await engine.close();
  const { close } = prototype;
  prototype.close = async function (this: Engine) {
    const read = this.isConstant ? readOnClose : undefined;
    if (read !== undefined) readOnClose = undefined;
    await read?.(this);
    return close.call(this);
  };
}

/**
 * Runs a command that reads one database. `fingerprint`: a digest of all that the database holds: definitions, rows,
 * and the next numbers; or why it cannot be read; undefined if the command opened none.
 */
export async function runAndFingerprint(
  words: readonly string[],
  place: CommandWorld,
): Promise<CommandResult & { readonly fingerprint?: string }> {
  await watchClosing(place.scratch);
  let fingerprint: string | undefined;
  readOnClose = async (engine) => void (fingerprint = await fingerprintOf(engine));
  const result = await runCommand(words, place);
  readOnClose = undefined;
  return fingerprint === undefined ? result : { ...result, fingerprint };
}

async function fingerprintOf(engine: Engine): Promise<string> {
  try {
    const prints = await engine.fingerprints?.();
    const text = JSON.stringify(prints, (_key, value: unknown) => (value instanceof Map ? [...value].sort() : value));
    return createHash("sha1").update(text).digest("hex");
  } catch (error) {
    return `unreadable: ${String(error)}`;
  }
}

/**
 * Keeps a database open, so that commands need not; returns what closes it. Nothing may replace the file meanwhile.
 * `isLogged`: changes stay in the write-ahead log until then.
 */
export async function keepOpen(path: string, isLogged: boolean): Promise<() => Promise<void>> {
  const engine = await duckdb.open(path, "write");
  if (isLogged) await engine.execute("set checkpoint_threshold = '1GB'");
  return () => engine.close();
}

/** The digests of the experiments of a database by name, as dumps have them: of `names`, by default of all. */
export async function digestsOf(path: string, names?: readonly string[]): Promise<Record<string, string>> {
  const engine = await duckdb.open(path, "read");
  try {
    return await engine.transaction(async () => {
      const found = await engine.query("select id, name from experiment where deleted is null order by name_key");
      const digests: [string, string][] = [];
      for (const row of recordsOf(found)) {
        const [name, id] = [String(row.get("name")), Number(row.get("id"))];
        if (names?.includes(name) !== false) digests.push([name, await experimentDigest(engine, { id })]);
      }
      return Object.fromEntries(digests);
    });
  } finally {
    await engine.close();
  }
}

/**
 * From now on, `fsck` and `rebuild` read no database in another process first. They do so to find damage, and the start
 * of the process takes longer than all else that they do.
 */
export function skipTrials(): void {
  const { spawn } = childProcess;
  childProcess.spawn = ((file: string, words: readonly string[], options: childProcess.SpawnOptions) => {
    if (words[0] !== "-e") return spawn(file, words, options);
    const child = Object.assign(new EventEmitter(), { stdout: new PassThrough() });
    setImmediate(() => child.emit("close", 0, null));
    return child;
  }) as typeof spawn;
  syncBuiltinESMExports();
}

export { PageReader, questionsOf, recordStatements } from "./page-reader.ts";

import { splitCommand } from "../../core/text/index.ts";
import { Failure } from "../../core/failures/index.ts";
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync, realpathSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { isSettings, type Setting } from "../../core/values/index.ts";
import { readPlainYaml } from "../../formats/text/index.ts";
import { writeDurably } from "../../store/durable/index.ts";

const maximumSize = 1 << 20;

/** Reads a configuration file: a mapping, or null if missing or empty. Fails with `bad-config`. */
export async function readConfigFile(path: string): Promise<Setting> {
  return parseConfig(readConfigText(path), path);
}

/** Parses a configuration; loads the full YAML parser only for what the subset parser does not support. */
export async function parseConfig(text: string, path: string): Promise<Setting> {
  const quick = readPlainYaml(text);
  const root = quick === undefined ? (await import("../../formats/text/yaml.ts")).readYaml(text, path) : quick;
  if (root !== null && !isSettings(root))
    throw new Failure("bad-config", { file: path, line: 1, column: 1, reason: "the file is not a mapping of keys" });
  return root;
}

/** The text of the file; empty if missing. */
export function readConfigText(path: string): string {
  try {
    const size = statSync(path, { throwIfNoEntry: false })?.size;
    if (size === undefined) return "";
    if (size > maximumSize)
      throw new Failure("bad-config", { file: path, reason: "larger than 1 MiB", instead: "shorten it" });
    return new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(path));
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw unreadableConfig(path, error);
  }
}

/**
 * Replaces the file durably and atomically. Follows a link of the user's shared file, but not of a local one, which may
 * come from a clone and point anywhere.
 */
export function writeConfigText(where: "local" | "shared", path: string, text: string): void {
  writeDurably(where === "shared" ? linkTarget(path) : path, [new TextEncoder().encode(text)]);
}

function linkTarget(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function unreadableConfig(path: string, error: unknown): Failure {
  if (error instanceof TypeError)
    return new Failure("bad-config", { file: path, reason: "not UTF-8 text", instead: "save it as UTF-8" }, error);
  const reason = `cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)})`;
  return new Failure("bad-config", { file: path, reason, instead: "check its permissions" }, error);
}

export interface EditRequest {
  /** Path of the configuration file; the edited copy has the same name. */
  readonly path: string;
  readonly text: string;
  /** Editor command, parsed by `splitCommand`. */
  readonly editor: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * Opens a copy in the editor and returns its text if it is a valid configuration. Fails with `editor-failed`, and with
 * `edit-refused` for an invalid text, whose copy is kept.
 */
export async function editConfig({ path, text, editor, environment }: EditRequest): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "perfkeep-edit-"));
  const copy = join(folder, basename(path));
  writeFileSync(copy, text, { mode: 0o600 });
  const ending = await runInTerminal([...splitCommand(editor), copy], environment);
  if (ending !== null) {
    rmSync(folder, { recursive: true, force: true });
    throw new Failure("editor-failed", { editor, ending });
  }
  const edited = readFileSync(copy, "utf8");
  try {
    await parseConfig(edited, path);
  } catch (error) {
    if (error instanceof Failure) throw new Failure("edit-refused", { reason: error.message, kept: copy }, error);
    throw error;
  }
  rmSync(folder, { recursive: true, force: true });
  return edited;
}

/**
 * Runs an interactive program and waits for it; keyboard interrupts are left to it. Returns null on success, else how
 * it ended.
 */
async function runInTerminal(
  argv: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string | null> {
  process.on("SIGINT", ignoreInterrupt);
  try {
    return await new Promise<string | null>((resolve) => {
      const child = spawn(argv[0] ?? "", argv.slice(1), { stdio: "inherit", env: { ...environment } });
      child.once("error", (error) =>
        resolve(`cannot be started (${(error as NodeJS.ErrnoException).code ?? error.message})`),
      );
      child.once("exit", (status, signal) =>
        resolve(status === 0 ? null : signal === null ? `exited with status ${status}` : `was ended by ${signal}`),
      );
    });
  } finally {
    process.off("SIGINT", ignoreInterrupt);
  }
}

function ignoreInterrupt(): void {
  // The program receives the interrupt as well and handles it.
}

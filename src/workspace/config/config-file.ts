import { splitCommand } from "../../core/text/command-line.ts";
import { Failure } from "../../core/failures/failure.ts";
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync, realpathSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { isSettings, type Setting } from "../../core/values/setting.ts";
import { readPlainYaml } from "../../formats/text/yaml-subset.ts";
import { writeDurably } from "../../store/durable/durable-file.ts";

const maximumSize = 1 << 20;

/**
 * The content of a configuration file: a mapping, or null when there is no file or nothing in it. Fails with
 * `bad-config`.
 */
export async function readConfigFile(path: string): Promise<Setting> {
  return parseConfig(readConfigText(path), path);
}

/**
 * Parses the text of a configuration file; the full YAML reader is loaded only for what the plain one does not know.
 */
export async function parseConfig(text: string, path: string): Promise<Setting> {
  const quick = readPlainYaml(text);
  const root = quick === undefined ? (await import("../../formats/text/yaml.ts")).readYaml(text, path) : quick;
  if (root !== null && !isSettings(root))
    throw new Failure("bad-config", { file: path, line: 1, column: 1, reason: "the file is not a mapping of keys" });
  return root;
}

/** The text of the file; empty when there is none. */
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
 * Replaces the file in one durable step. A shared file that is a link keeps being one, for it is the user's own; a
 * local one is not followed, since it may have come with a clone and point anywhere.
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
  /** Path of the configuration file; its name is shown to the editor's user. */
  readonly path: string;
  readonly text: string;
  /** Command of the editor, as `splitCommand` reads it. */
  readonly editor: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * Lets the user edit a copy and answers its text once it is a valid configuration. The original is not touched
 * meanwhile. Fails with `editor-failed`, and with `edit-refused` for a text that is no configuration: it is kept and
 * named.
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
 * Runs a program that talks to the user through the terminal, and waits for it. Interrupts of the keyboard are its
 * business meanwhile. Answers how it ended, in words, or null when it succeeded.
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
  // The keyboard's interrupt reaches the program as well: what it means is its decision.
}

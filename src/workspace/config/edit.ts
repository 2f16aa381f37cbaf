import { splitCommand } from "../../core/text/command-line.ts";
import { Failure } from "../../core/failures/failure.ts";
import { parseConfig } from "./file.ts";
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

export interface Editing {
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
export async function editConfig({ path, text, editor, environment }: Editing): Promise<string> {
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
  process.on("SIGINT", leaveToProgram);
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
    process.off("SIGINT", leaveToProgram);
  }
}

function leaveToProgram(): void {
  // The keyboard's interrupt reaches the program as well: what it means is its decision.
}

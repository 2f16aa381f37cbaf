import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { splitCommand } from "../core/command-line.ts";
import { Failure } from "../core/errors.ts";
import { parseConfig } from "./config-file.ts";
import { runInTerminal } from "./terminal-program.ts";

export interface Editing {
  /** Path of the configuration file; its name is shown to the editor's user. */
  readonly path: string;
  readonly text: string;
  /** Command of the editor, as `splitCommand` reads it. */
  readonly editor: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * Lets the user edit a copy and answers its text once it is a valid configuration. The original is not touched meanwhile. Fails with `editor-failed`,
 * and with `edit-refused` for a text that is no configuration: it is kept and named.
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

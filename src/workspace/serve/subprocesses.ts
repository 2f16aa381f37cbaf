import { spawn } from "node:child_process";
import type { Shell } from "../../plugins/collectors/collector.ts";
import { catalogue, Failure, type FailureCode, type FailureData } from "../../core/failures/index.ts";
import type { World } from "../workspace.ts";

/** Only the end of standard error is kept. */
const maxStderrLength = 64_000;

/**
 * Runs perfkeep itself with other arguments, discarding standard output. Fails with its failure, or with
 * `pages-not-made` if it reports none.
 */
export async function runSelf(world: World, words: readonly string[], stopped: AbortSignal): Promise<void> {
  const [program = ""] = process.argv.slice(1);
  const child = spawn(process.execPath, [...process.execArgv, program, ...words], {
    cwd: world.directory,
    env: { ...world.environment },
    stdio: ["ignore", "ignore", "pipe"],
    signal: stopped,
  });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr = (stderr + text).slice(-maxStderrLength)));
  const ended = new Promise<string>((resolve) => {
    child.on("error", ({ message }) => resolve(message));
    child.on("close", (status, signal) =>
      resolve(status === 0 ? "" : signal === null ? `exit status ${status}` : `ended by ${signal}`),
    );
  });
  const reason = await ended;
  if (reason !== "") throw parseFailure(stderr) ?? new Failure("pages-not-made", { reason });
}

/** Parses the failure that the program reports as JSON in its last line. */
function parseFailure(stderr: string): Failure | undefined {
  const line = stderr.trim().split("\n").at(-1) ?? "";
  try {
    const { error } = JSON.parse(line) as { error: { code: string; data?: FailureData } };
    return Object.hasOwn(catalogue, error.code) ? new Failure(error.code as FailureCode, error.data) : undefined;
  } catch {
    return undefined;
  }
}

/** Commands that open a URL, by desktop. */
const openCommands = ["xdg-open", "open", "wslview"];

/** Opens a URL in the user's browser, detached; false if there is no command to do so. */
export async function openInBrowser(shell: Shell, address: string): Promise<boolean> {
  for (const name of openCommands) {
    const program = await shell.which(name);
    if (program === null) continue;
    spawn(program, [address], { detached: true, stdio: "ignore" })
      .on("error", () => {})
      .unref();
    return true;
  }
  return false;
}

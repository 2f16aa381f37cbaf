import { spawn } from "node:child_process";
import type { Shell } from "../../plugins/collectors/collector.ts";
import { catalogue, Failure, type FailureCode } from "../../core/failures/failure.ts";
import type { FailureData } from "../../core/failures/kind.ts";
import type { World } from "../workspace.ts";

/** Of what it says on standard error the end is enough. */
const maxStderrLength = 64_000;

/**
 * Runs this very program with other words, its output left out. Fails with what it fails with, and with
 * `pages-not-made` where it says nothing.
 */
export async function runSelf(world: World, words: readonly string[], stopped: AbortSignal): Promise<void> {
  const [program = ""] = process.argv.slice(1);
  const child = spawn(process.execPath, [...process.execArgv, program, ...words], {
    cwd: world.directory,
    env: { ...world.environment },
    stdio: ["ignore", "ignore", "pipe"],
    signal: stopped,
  });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said = (said + text).slice(-maxStderrLength)));
  const ended = new Promise<string>((resolve) => {
    child.on("error", ({ message }) => resolve(message));
    child.on("close", (status, signal) =>
      resolve(status === 0 ? "" : signal === null ? `exit status ${status}` : `ended by ${signal}`),
    );
  });
  const reason = await ended;
  if (reason !== "") throw parseFailure(said) ?? new Failure("pages-not-made", { reason });
}

/** What the program said went wrong, as JSON in its last line. */
function parseFailure(said: string): Failure | undefined {
  const line = said.trim().split("\n").at(-1) ?? "";
  try {
    const { error } = JSON.parse(line) as { error: { code: string; data?: FailureData } };
    return Object.hasOwn(catalogue, error.code) ? new Failure(error.code as FailureCode, error.data) : undefined;
  } catch {
    return undefined;
  }
}

/** What desktops take for opening an address. */
const openCommands = ["xdg-open", "open", "wslview"];

/** Opens an address in the user's browser, which stays when we end; false where nothing is there to do so. */
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

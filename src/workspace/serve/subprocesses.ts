import { spawn } from "node:child_process";
import type { Shell } from "../../plugins/collectors/collector.ts";
import { catalogue, Failure, type FailureCode, type FailureData } from "../../core/failures/index.ts";
import { boundedJson, type JsonBounds } from "../../formats/json/index.ts";
import type { World } from "../workspace.ts";

/** Only the end of standard error is kept. */
const maxStderrLength = 64_000;

/** How perfkeep ended when it ran itself. */
interface EndedSelf {
  /** Empty unless the program was ended or did not start. */
  readonly reason: string;
  readonly status: number | null;
  /** Its answer within the bounds; null without bounds, and if it is no JSON object or too long. */
  readonly answer: string | null;
  /** Its failure, reported as JSON. */
  readonly failure: Failure | undefined;
}

/** Bytes of standard output that are read, if they are. */
const maxOutput = 64_000_000;

/**
 * Runs perfkeep itself with other arguments in the same world, without standard input. With `bounds`, returns the JSON
 * document that it prints.
 */
export async function askSelf(
  world: World,
  words: readonly string[],
  stopped: AbortSignal,
  bounds?: JsonBounds,
): Promise<EndedSelf> {
  const [program = ""] = process.argv.slice(1);
  const child = spawn(process.execPath, [...process.execArgv, program, ...words], {
    cwd: world.directory,
    env: { ...world.environment },
    stdio: ["ignore", "pipe", "pipe"],
    signal: stopped,
  });
  const [pieces, size] = [[] as Uint8Array[], { kept: 0 }];
  child.stdout.on("data", (piece: Uint8Array) => {
    if (bounds !== undefined && (size.kept += piece.length) <= maxOutput) pieces.push(piece);
  });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr = (stderr + text).slice(-maxStderrLength)));
  const ended = await new Promise<Pick<EndedSelf, "reason" | "status">>((resolve) => {
    child.on("error", ({ message }) => resolve({ reason: message, status: null }));
    child.on("close", (status, signal) => resolve({ reason: signal === null ? "" : `ended by ${signal}`, status }));
  });
  const isWhole = bounds !== undefined && size.kept <= maxOutput;
  const answer = isWhole ? boundedJson(Buffer.concat(pieces), bounds) : null;
  return { ...ended, answer, failure: parseFailure(stderr) };
}

/**
 * Runs perfkeep itself with other arguments, discarding standard output. Fails with its failure, or with
 * `pages-not-made` if it reports none.
 */
export async function runSelf(world: World, words: readonly string[], stopped: AbortSignal): Promise<void> {
  const { reason, status, failure } = await askSelf(world, words, stopped);
  if (reason === "" && status === 0) return;
  throw failure ?? new Failure("pages-not-made", { reason: reason === "" ? `exit status ${status}` : reason });
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

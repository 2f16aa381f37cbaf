import { basename } from "node:path";
import { Failure, isFailure } from "../core/failures/index.ts";
import { redactLogin, terminalText } from "../core/text/index.ts";
import type { World } from "../workspace/workspace.ts";
import { reportFailure } from "./failure-line.ts";
import { frontEndFor } from "./front-end.ts";
import { Session } from "./session.ts";

/** Runs the front end for the program name and returns the exit status; reports failures on standard error. */
export async function main(argv: readonly string[]): Promise<number> {
  const program = basename(argv[1] ?? "perfkeep").replace(/\.m?js$/, "");
  const session = new Session(world(), process);
  let status: number;
  try {
    const frontEnd = await frontEndFor(program);
    status = await frontEnd.run(argv.slice(2), session);
    await session.close();
  } catch (error) {
    session.output.discard();
    const report = reportFailure(error, "perfkeep", asksForJson(argv), process.env["PERFKEEP_DEBUG"] === "1");
    session.output.error(report.line);
    status = report.status;
    await session.close().catch(() => {});
  }
  if (session.cleansUp) await tidy(session);
  return status;
}

/** Cleans up after killed commands. Failures are ignored: `recover` reports them. */
async function tidy(session: Session): Promise<void> {
  try {
    await session.workspace.tidy();
  } catch (error) {
    if (!isFailure(error)) throw error;
  }
}

function world(): World {
  // Stored in lock files, which other users can read: passwords in URLs are removed.
  const words = process.argv.slice(2).map((word) => word.replace(/[a-z][a-z0-9+.-]{0,30}:\/\/.*$/is, redactLogin));
  const command = `perfkeep ${words.join(" ")}`.trim();
  const warn = (text: string): void => void process.stderr.write(`perfkeep: warning: ${terminalText(text)}\n`);
  return {
    get directory() {
      return currentDirectory();
    },
    environment: process.env,
    now: () => Date.now(),
    random: () => Math.random(),
    command,
    // Evaluated on use: the stream of standard input takes time to create.
    get hasTerminal() {
      return process.stdin.isTTY && process.stderr.isTTY;
    },
    warn,
  };
}

/** Fails with `directory-lost` in a directory that was deleted. */
function currentDirectory(): string {
  try {
    return process.cwd();
  } catch (error) {
    throw new Failure("directory-lost", { path: process.env["PWD"] ?? "" }, error);
  }
}

function asksForJson(argv: readonly string[]): boolean {
  const at = argv.findIndex((word) => word === "--format" || word.startsWith("--format="));
  const value = argv[at] === "--format" ? argv[at + 1] : argv[at]?.slice("--format=".length);
  return at >= 0 && (value === "json" || value === "ndjson");
}

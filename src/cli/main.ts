import { basename } from "node:path";
import { isFailure } from "../core/failures/failure.ts";
import { redactLogin } from "../core/text/redacted-address.ts";
import type { World } from "../workspace/workspace.ts";
import { reportFailure } from "./failure-line.ts";
import { frontEndFor } from "./front-end.ts";
import { Session } from "./session.ts";

/** The program, told in ten lines: which front end, which verb, what went wrong, which exit status. */
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
  if (session.tidiesUp) await tidy(session);
  return status;
}

/**
 * What a killed run left is removed by whatever command comes next. That it cannot be removed is for `recover` to tell.
 */
async function tidy(session: Session): Promise<void> {
  try {
    await session.workspace.tidy();
  } catch (error) {
    if (!isFailure(error)) throw error;
  }
}

function world(): World {
  // Others read it while we hold a lock: what somebody wrongly wrote there as a password is not for them.
  const words = process.argv.slice(2).map((word) => word.replace(/[a-z][a-z0-9+.-]{0,30}:\/\/.*$/is, redactLogin));
  const command = `perfkeep ${words.join(" ")}`.trim();
  const warn = (text: string): void => void process.stderr.write(`perfkeep: warning: ${text}\n`);
  const hasTerminal = process.stdin.isTTY && process.stderr.isTTY;
  return {
    directory: process.cwd(),
    environment: process.env,
    now: () => Date.now(),
    random: () => Math.random(),
    command,
    hasTerminal,
    warn,
  };
}

function asksForJson(argv: readonly string[]): boolean {
  const at = argv.findIndex((word) => word === "--format" || word.startsWith("--format="));
  const value = argv[at] === "--format" ? argv[at + 1] : argv[at]?.slice("--format=".length);
  return at >= 0 && (value === "json" || value === "ndjson");
}

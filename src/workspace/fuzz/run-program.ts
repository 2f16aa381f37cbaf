import { quoteCommand, splitCommand } from "../../core/text/index.ts";
import { isFailure } from "../../core/failures/index.ts";
import { endingOf, type Outcome, type Shell } from "../../plugins/collectors/collector.ts";
import type { Effort, Gauge } from "./gauge.ts";

/** How a run ended: well, by timeout, by an unexpected status or signal, or because the session is over. */
export type Ending =
  | { readonly kind: "fine"; readonly effort: Effort }
  | { readonly kind: "hang" }
  | { readonly kind: "fault"; readonly detail: string }
  | { readonly kind: "cut" };

export interface FuzzedProgram {
  readonly cmd: string;
  readonly directory: string;
  readonly shell: Shell;
  readonly environment: Readonly<Record<string, string>>;
  /** Timeout in seconds after which a run counts as a hang. */
  readonly hangSeconds: number;
  /** Accept a non-zero status; signals are always faults. */
  readonly allowsFailure: boolean;
}

const maxOutputBytes = 64 << 10;

/**
 * Runs the program with the path as last argument, for at most `secondsLeft`. Fails with `interrupted`, or if the
 * program cannot be started.
 */
export async function runProgram(
  program: FuzzedProgram,
  gauge: Gauge,
  path: string,
  secondsLeft: number,
): Promise<Ending> {
  const { directory, environment, shell, hangSeconds } = program;
  gauge.reset();
  let outcome: Outcome;
  try {
    outcome = await shell.run(splitCommand(`${program.cmd} ${quoteCommand([path])}`), {
      directory,
      environment,
      captureLimit: maxOutputBytes,
      timeoutSeconds: Math.min(hangSeconds, secondsLeft),
    });
  } catch (error) {
    if (isFailure(error, "command-timed-out")) return { kind: secondsLeft < hangSeconds ? "cut" : "hang" };
    throw error;
  }
  if (outcome.signal !== null || (outcome.status !== 0 && !program.allowsFailure))
    return { kind: "fault", detail: endingOf(outcome) };
  return { kind: "fine", effort: await gauge.effort(outcome) };
}

/** A collector may run the program repeatedly and slower: its timeout is this multiple of a hang's. */
const collectorTimeFactor = 100;

/** A shell for collectors: its programs end with the session and write coverage like the program's own runs. */
export function measuringShell(
  { shell, environment, hangSeconds }: FuzzedProgram,
  now: () => number,
  secondsLeft: number,
): Shell {
  const deadline = now() + secondsLeft * 1000;
  return {
    ...shell,
    run: (argv, options) => {
      const left = Math.max(0.001, (deadline - now()) / 1000);
      const timeoutSeconds = Math.min(
        options.timeoutSeconds ?? Number.POSITIVE_INFINITY,
        hangSeconds * collectorTimeFactor,
        left,
      );
      return shell.run(argv, { ...options, environment: { ...environment, ...options.environment }, timeoutSeconds });
    },
  };
}

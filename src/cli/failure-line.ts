import { Failure, exitStatus } from "../core/failures/index.ts";
import { terminalOutput, terminalText } from "../core/text/index.ts";

/** The error output of a failed command, and its exit status. */
export interface FailureReport {
  readonly line: string;
  readonly status: number;
}

/** One line of text or a JSON document, optionally with a stack trace. */
export function reportFailure(error: unknown, program: string, asJson: boolean, withStack: boolean): FailureReport {
  const failure = error instanceof Failure ? error : undefined;
  const status = failure?.exit ?? exitStatus.bug;
  if (asJson) {
    const document = JSON.stringify({ schema: "perfkeep.error/1", error: failure?.toJSON() ?? bug(error) });
    return { line: terminalOutput(document, "json"), status };
  }
  const stack = withStack && error instanceof Error ? `\n${error.stack}` : "";
  return {
    line: `${program}: error: ${terminalText(failure ? sentence(failure) : bug(error).message)}${stack}`,
    status,
  };
}

function sentence(failure: Failure): string {
  return `${failure.message}; ${failure.remedy} [${failure.code}]`;
}

function bug(error: unknown): { code: string; message: string; exit: number } {
  const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return {
    code: "internal-error",
    message: `internal error: ${reason}; set PERFKEEP_DEBUG=1 and report what it prints [internal-error]`,
    exit: exitStatus.bug,
  };
}

/** Reports a failure of one of several items; the command continues. */
export function noteFailure(
  session: { readonly output: { error(line: string): void }; readonly program: string },
  failure: Failure,
): void {
  session.output.error(reportFailure(failure, session.program, false, false).line);
}

import { spawn } from "node:child_process";

/**
 * Runs a program that talks to the user through the terminal, and waits for it. Interrupts of the keyboard are its business meanwhile. Answers how it
 * ended, in words, or null when it succeeded.
 */
export async function runInTerminal(
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

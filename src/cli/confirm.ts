import { Failure } from "../core/failures/index.ts";
import type { ConfirmCommands } from "../workspace/config/index.ts";
import type { Confirm } from "../workspace/profiles/index.ts";
import type { Session } from "./session.ts";

/** How look-ups confirm a match; null without a terminal. */
export function confirmOf(session: Session): Confirm | null {
  if (session.assumesYes) return async () => true;
  return session.hasTerminal ? (question) => session.confirm(question, "give the full name") : null;
}

/**
 * Asks a question before a change. Fails with `declined`, which says that `nothing` was changed, and `no-terminal`;
 * both suggest `instead`.
 */
export async function confirmOrFail(
  session: Session,
  question: string,
  nothing: string,
  instead: string,
): Promise<void> {
  if (!(await session.confirm(question, instead))) throw new Failure("declined", { what: nothing, instead });
}

/** Lists the commands of a configuration and asks whether they may run; null without a terminal. */
export function confirmCommandsOf(session: Session): ConfirmCommands {
  if (!session.hasTerminal) return null;
  return (path, commands) => {
    session.output.note(`The configuration of ${path} wants to run:`);
    for (const command of commands) session.output.note(`  ${command}`);
    return session.confirm("Allow these commands?", "run perfkeep trust");
  };
}

/** Asks whether to log in to a server that a description names; empty without a terminal. */
export function confirmServerOf(session: Session): { readonly confirmServer?: (address: string) => Promise<boolean> } {
  if (!session.hasTerminal) return {};
  return {
    confirmServer: (address) =>
      session.confirm(`The description names the server ${address}. Log in there?`, `select it with --db ${address}`),
  };
}

import { terminalText } from "../core/text/terminal-text.ts";
import type { ConfirmCommands } from "../workspace/config/trust.ts";
import type { Confirm } from "../workspace/profiles/locate.ts";
import type { Session } from "./session.ts";

/** How look-ups ask about a hit; null when nobody is there to answer. */
export function confirmOf(session: Session): Confirm | null {
  if (session.assumesYes) return async () => true;
  return session.hasTerminal ? (question) => session.confirm(question, "name it in full") : null;
}

/** Shows the commands of a configuration and asks whether they may run; null when nobody is there to answer. */
export function confirmCommandsOf(session: Session): ConfirmCommands {
  if (!session.hasTerminal) return null;
  return (path, commands) => {
    session.output.note(
      [
        `The configuration in ${terminalText(path)} wants to run:`,
        ...commands.map((command) => `  ${terminalText(command)}`),
      ].join("\n"),
    );
    return session.confirm("Allow these commands?", "run perfkeep trust");
  };
}

/** Asks whether to log in at a server that only a description names; nothing when nobody is there to answer. */
export function confirmServerOf(session: Session): { readonly confirmServer?: (address: string) => Promise<boolean> } {
  if (!session.hasTerminal) return {};
  return {
    confirmServer: (address) =>
      session.confirm(
        `The description asks for the server ${terminalText(address)}. Log in there?`,
        `name it with --db ${address}`,
      ),
  };
}

import { terminalText } from "../core/terminal-text.ts";
import type { ConfirmCommands } from "../workspace/trust.ts";
import type { Confirm } from "../workspace/locate.ts";
import type { Session } from "./session.ts";

/** How look-ups ask about a hit; null when nobody is there to answer. */
export function confirmOf(session: Session): Confirm | null {
  return session.hasTerminal ? (question) => session.confirm(question, "name it in full") : null;
}

/** Shows the commands of a configuration and asks whether they may run; null when nobody is there to answer. */
export function confirmCommandsOf(session: Session): ConfirmCommands {
  if (!session.hasTerminal) return null;
  return (path, commands) => {
    session.output.note(
      [`The configuration in ${terminalText(path)} wants to run:`, ...commands.map((command) => `  ${terminalText(command)}`)].join("\n"),
    );
    return session.confirm("Allow these commands?", "run perfkeep trust");
  };
}

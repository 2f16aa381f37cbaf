import type { Confirm } from "../workspace/locate.ts";
import type { Session } from "./session.ts";

/** How look-ups ask about a hit; null when nobody is there to answer. */
export function confirmOf(session: Session): Confirm | null {
  return session.hasTerminal ? (question) => session.confirm(question, "name it in full") : null;
}

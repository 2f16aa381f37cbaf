import { terminalText } from "../../../core/text/terminal-text.ts";
import type { Session } from "../../session.ts";

/** Tells where experiments live when nobody chose the place. */
export function noteOwnFolder({ output }: Session, database: string): void {
  output.note(
    `there is no instance here (perfkeep init makes one): experiments live in your own folder, in ${terminalText(database)}`,
  );
}

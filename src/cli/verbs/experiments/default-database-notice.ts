import type { Session } from "../../session.ts";

/** Notes the default database of a user without an instance. */
export function noteDefaultDatabase({ output }: Session, database: string): void {
  output.note(
    ["no instance here (perfkeep init creates one):", `experiments are stored in your user database ${database}`].join(
      " ",
    ),
  );
}

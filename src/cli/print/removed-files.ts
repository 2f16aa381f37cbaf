import { exitStatus } from "../../core/failures/index.ts";
import { terminalText } from "../../core/text/index.ts";
import type { Session } from "../session.ts";

/** Prints deleted files, and protected ones that were kept. */
export function printRemoved(
  { output, format }: Session,
  removed: readonly string[],
  kept: readonly string[] = [],
): number {
  if (format === "json") output.document("perfkeep.removed/2", { removed, protected: kept });
  else {
    for (const path of removed) output.report(`deleted ${terminalText(path)}\n`);
    for (const path of kept) output.note(`${path} is protected and was kept`);
  }
  return exitStatus.fine;
}

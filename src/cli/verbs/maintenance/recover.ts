import { recover as cleanUp } from "../../../commands/maintenance/recover.ts";
import { exitStatus } from "../../../core/failures/kind.ts";
import { terminalText } from "../../../core/text/terminal-text.ts";
import type { Verb } from "../../verb.ts";

export const recover: Verb = {
  name: "recover",
  summary: "clean up after a killed command",
  examples: ["perfkeep recover"],
  details:
    "Removes trees, temporary files and the lock that dead processes left. What still runs is left alone. Every run does so by itself, too.",
  formats: ["json"],
  async run(session) {
    const result = await cleanUp(session.workspace);
    const { output } = session;
    const isLeft = result.runs.some((run) => run.outcome === "failed");
    if (session.format === "json") output.document("perfkeep.recover/1", result);
    else {
      for (const run of result.runs)
        output.data(
          `${terminalText(run.worktree ?? run.id)}: ${terminalText(run.outcome)}${run.reason === undefined ? "" : ` (${terminalText(run.reason)})`}\n`,
        );
      for (const path of result.removed) output.data(`${terminalText(path)}: removed\n`);
      if (result.unlocked !== null) output.data(`the lock of '${terminalText(result.unlocked)}': removed\n`);
      if (result.runs.length + result.removed.length === 0 && result.unlocked === null)
        output.data("nothing to clean up\n");
    }
    return isLeft ? exitStatus.host : exitStatus.fine;
  },
};

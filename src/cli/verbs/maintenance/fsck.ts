import { fsck as fsckAll } from "../../../commands/maintenance/fsck.ts";
import { counted } from "../../../core/text/plural.ts";
import { exitStatus } from "../../../core/failures/kind.ts";
import { terminalText } from "../../../core/text/terminal-text.ts";
import type { Verb } from "../../verb.ts";

export const fsck: Verb = {
  name: "fsck",
  summary: "verify everything in the store",
  examples: ["perfkeep fsck"],
  details:
    "Every object is read and compared with its name, every index with its checksum and its objects. So is what push and pull keep. Nothing is changed.\nExit status: 0 clean, 1 damage was found. The experiment database is verified by perfkeep experiment check.",
  formats: ["json"],
  async run(session) {
    const report = await fsckAll(session.workspace);
    const { output } = session;
    if (session.format === "json") output.document("perfkeep.fsck/1", report);
    else {
      for (const { path, message } of report.problems)
        output.data(`damage: ${terminalText(path)}: ${terminalText(message)}\n`);
      for (const { path, message } of report.notes)
        output.data(`note: ${terminalText(path)}: ${terminalText(message)}\n`);
      const { objects, indexes, entries } = report.checked;
      const verdict = report.problems.length === 0 ? "no damage" : counted(report.problems.length, "problem");
      output.data(
        `checked ${counted(objects, "object")}, ${counted(indexes, "index", "indexes")} with ${counted(entries, "entry", "entries")}: ${verdict}\n`,
      );
    }
    return report.problems.length === 0 ? exitStatus.fine : exitStatus.found;
  },
};

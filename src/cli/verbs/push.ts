import { push as pushShared } from "../../commands/push.ts";
import { Failure } from "../../core/errors.ts";
import { counted } from "../../core/counted.ts";
import { exitStatus } from "../../core/failures/kind.ts";
import { terminalText } from "../../core/terminal-text.ts";
import type { Verb } from "../verb.ts";
import { bytesText, listed, remoteOperand, shareFilters, sharing } from "./share-options.ts";

export const push: Verb = {
  name: "push",
  summary: "send what was measured to others, through a remote of the repository",
  details: [
    "Profiles, which versions they belong to, and the changes that checks found there travel under refs/perfkeep/data/v1 of the remote, which no clone and no",
    "branch list shows. What others sent meanwhile is merged: nobody overwrites anybody. Branches, tree, index and configuration of the repository are not touched.",
  ].join("\n"),
  examples: ["perfkeep push", "perfkeep push origin --dry-run", "perfkeep push ../results.git --since 2026-01-01"],
  operands: [remoteOperand],
  options: [
    ...shareFilters,
    { flags: "--repair", synopsis: "first take out of the remote what no pull can use, or set it back to what it was" },
    { flags: "-n, --dry-run", synopsis: "tell what would be sent, and send nothing" },
  ],
  formats: ["json"],
  async run(session, args) {
    const dryRun = args.flag("dryRun");
    const repair = args.flag("repair");
    if (dryRun && repair)
      throw new Failure("unusable-combination", {
        what: "--repair with --dry-run",
        instead: "perfkeep fetch --skip-damaged tells what is damaged",
      });
    const pushed = await sharing(session, args, dryRun, (options) => pushShared(session.workspace, { ...options, repair }));
    const { output } = session;
    if (session.format === "json") {
      const sent = pushed.sent.map(({ part, count }) => ({ part, count }));
      output.document("perfkeep.push/1", { ...pushed, sent, dryRun });
    } else {
      const what = listed(pushed.sent.map(({ count, noun: [one, many] }) => [count, one, many]));
      const remote = terminalText(pushed.remote);
      if (what === "") output.data(`${remote} has everything already\n`);
      else if (dryRun) output.data(`would push to ${remote}: ${what}\n`);
      else output.data(`pushed to ${remote}: ${what}; ${bytesText(pushed.wireBytes)} on the wire\n`);
      if (pushed.overtaken > 0) output.note(`others were first ${counted(pushed.overtaken, "time")}; what they sent is kept`);
    }
    for (const note of pushed.notes) output.note(terminalText(note));
    return exitStatus.fine;
  },
};

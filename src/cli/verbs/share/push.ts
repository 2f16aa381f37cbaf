import { push as pushShared } from "../../../commands/share/push.ts";
import { Failure } from "../../../core/failures/failure.ts";
import { counted } from "../../../core/text/plural.ts";
import { exitStatus } from "../../../core/failures/kind.ts";
import { terminalText } from "../../../core/text/terminal-text.ts";
import type { Output } from "../../output.ts";
import type { Verb } from "../../verb.ts";
import { bytesText, listed, remoteOperand, shareFilters, sharing } from "./share-options.ts";

/** A remote may hold thousands of foreign entries. */
const mostTold = 10;

export const push: Verb = {
  name: "push",
  summary: "send what was measured to others, through a remote of the repository",
  details: [
    "Profiles, which versions they belong to, the changes that checks found there, and experiments travel under refs/perfkeep/data/v1 of the remote, which no",
    "clone and no branch list shows. What others sent meanwhile is merged: nobody overwrites anybody. Branches, tree, index and configuration of the repository are not touched.",
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
    const pushed = await sharing(session, args, dryRun, (options) =>
      pushShared(session.workspace, { ...options, repair }),
    );
    const { output } = session;
    if (session.format === "json") {
      const sent = pushed.sent.map(({ part, count }) => ({ part, count }));
      output.document("perfkeep.push/1", { ...pushed, sent, dryRun });
    } else {
      const what = listed(pushed.sent.map(({ count, noun: [one, many] }) => [count, one, many]));
      const remote = terminalText(pushed.remote);
      if (what === "" && !pushed.found) output.data(`nothing to push to ${remote}: nothing is registered here yet\n`);
      else if (what === "") output.data(`${remote} has everything already\n`);
      else if (dryRun) output.data(`would push to ${remote}: ${what}\n`);
      else output.data(`pushed to ${remote}: ${what}; ${bytesText(pushed.wireBytes)} on the wire\n`);
      if (pushed.overtaken > 0)
        output.note(`others were first ${counted(pushed.overtaken, "time")}; what they sent is kept`);
    }
    tell(output, pushed.notes);
    return exitStatus.fine;
  },
};

/** `-v` tells all of them. */
function tell(output: Output, notes: readonly string[]): void {
  const told = output.options.verbose ? notes.length : mostTold;
  for (const note of notes.slice(0, told)) output.note(terminalText(note));
  if (notes.length > told) output.note(`and ${notes.length - told} more, which -v tells`);
}

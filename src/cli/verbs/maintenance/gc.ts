import { gc as collect } from "../../../commands/maintenance/gc.ts";
import { exitStatus } from "../../../core/failures/kind.ts";
import type { Verb } from "../../verb.ts";
import { bytesText } from "../share/share-options.ts";

export const gc: Verb = {
  name: "gc",
  summary: "pack anew what push and pull have kept, and drop what is not needed",
  details:
    "Only the repository in which push and pull keep what travels (.perun/share/git) is touched; profiles, indexes and experiments never are.",
  examples: ["perfkeep gc"],
  formats: ["json"],
  async run(session) {
    const { notes, ...share } = (await collect(session.workspace)).share;
    if (session.format === "json") session.output.document("perfkeep.gc/1", { share });
    else if (share.before === 0) session.output.data("nothing has been pushed or pulled here\n");
    else
      session.output.data(
        `packed what push and pull have kept: ${bytesText(share.after)}, before ${bytesText(share.before)}\n`,
      );
    for (const note of notes) session.output.note(note);
    return exitStatus.fine;
  },
};

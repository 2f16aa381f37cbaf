import { commitJson } from "../../print/index.ts";
import { remove } from "../../../commands/profiles/index.ts";
import { abbreviate } from "../../../core/versions/index.ts";
import { terminalText } from "../../../core/text/index.ts";
import type { Verb } from "../../verb.ts";
import { minorOption } from "../options.ts";

export const rm: Verb = {
  name: "rm",
  summary: "remove profiles from a commit",
  examples: ["perfkeep rm 0@i", "perfkeep rm -m HEAD~1 0@i 1@p"],
  details: "Stored objects are kept. Pending profiles (0@p, or a path in .perun/jobs) are deleted.",
  operands: [
    {
      name: "<profile...>",
      synopsis: "tags (0@i, 1@p), names, or paths of pending profiles",
      means: ["registered", "pending", "file"],
    },
  ],
  options: [minorOption],
  formats: ["json"],
  async run(session, args) {
    const minor = args.text("minor");
    const removed = await remove(session.workspace, {
      profiles: args.rest(0),
      ...(minor === undefined ? {} : { minor }),
    });
    if (session.format === "json") session.output.document("perfkeep.rm/2", { removed: removed.map(commitJson) });
    else
      for (const { name, version } of removed)
        session.output.report(
          `${terminalText(name)} removed from ${version === null ? "the pending profiles" : abbreviate(version)}\n`,
        );
    return 0;
  },
};

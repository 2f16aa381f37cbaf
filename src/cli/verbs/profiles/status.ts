import { status as readStatus } from "../../../commands/history/status.ts";
import { profileSortKeys } from "../../../core/profiles/listed-profile.ts";
import { terminalText } from "../../../core/text/terminal-text.ts";
import { mediumOf } from "../../print/medium.ts";
import { statusText } from "../../print/profiles/status.ts";
import type { Verb } from "../../verb.ts";
import { compatOption } from "../options.ts";

export const status: Verb = {
  name: "status",
  summary: "show this version's profiles and the pending ones",
  examples: ["perfkeep status", "perfkeep status --format json"],
  options: [
    { flags: "-s, --short", synopsis: "counts only" },
    {
      flags: "--sort-by <key>",
      synopsis: "order of the lists (default: format.sort_profiles_by, else time)",
      choices: profileSortKeys,
      also: ["-sb"],
    },
    compatOption,
  ],
  formats: ["json"],
  async run(session, args) {
    const { output, workspace } = session;
    const found = await readStatus(workspace);
    if (session.format === "json") {
      output.document("perfkeep.status/1", found);
      return 0;
    }
    for (const name of found.unreadable) output.note(`.perun/jobs/${terminalText(name)} is no profile`);
    const sort = await workspace.profileSortKey(args.text("sortBy"));
    const format = (await workspace.config()).text("format.status");
    if (await workspace.usesPager("status")) output.page();
    const medium = await mediumOf(session, args.text("compat"));
    output.data(statusText(found, { short: args.flag("short"), format, sort, medium }));
    return 0;
  },
};

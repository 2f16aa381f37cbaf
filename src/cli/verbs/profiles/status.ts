import { relative } from "node:path";
import { status as readStatus, type Status } from "../../../commands/history/index.ts";
import { profileSortKeys } from "../../../core/profiles/index.ts";
import { isoTime, mediumOf, profileJson, statusText } from "../../print/index.ts";
import type { Verb } from "../../verb.ts";
import { compatOption } from "../options.ts";

export const status: Verb = {
  name: "status",
  summary: "show registered and pending profiles of the current commit",
  examples: ["perfkeep status", "perfkeep status --format json"],
  options: [
    { flags: "-s, --short", synopsis: "print counts only" },
    {
      flags: "--sort-by <key>",
      synopsis: "order of profiles (default: format.sort_profiles_by, else time)",
      choices: profileSortKeys,
      also: ["-sb"],
    },
    compatOption,
  ],
  formats: ["json"],
  async run(session, args) {
    const { output, workspace } = session;
    const current = await readStatus(workspace);
    if (session.format === "json") {
      output.document("perfkeep.status/1", statusJson(current));
      return 0;
    }
    for (const name of current.unreadable) output.note(`.perun/jobs/${name} is not a profile`);
    const sort = await workspace.profileSortKey(args.text("sortBy"));
    const format = (await workspace.config()).text("format.status");
    if (await workspace.usesPager("status")) output.page();
    const medium = await mediumOf(session, args.text("compat"));
    const store = relative(workspace.world.directory, workspace.perun());
    output.data(statusText(current, { short: args.flag("short"), store, format, sort, medium }));
    return 0;
  },
};

function statusJson({ version, registered, pending, ...status }: Status): object {
  const { finalNewlines: _, ...commit } = version;
  return {
    ...status,
    version: { ...commit, date: isoTime(version.date) },
    registered: registered.map(profileJson),
    pending: pending.map(profileJson),
  };
}

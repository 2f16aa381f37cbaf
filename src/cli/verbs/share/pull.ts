import { pull as pullShared } from "../../../commands/share/pull.ts";
import type { ShareOptions } from "../../../commands/share/share-options.ts";
import { exitStatus } from "../../../core/failures/kind.ts";
import { counted } from "../../../core/text/plural.ts";
import { terminalText } from "../../../core/text/terminal-text.ts";
import type { Arguments } from "../../arguments.ts";
import type { Session } from "../../session.ts";
import type { Verb } from "../../verb.ts";
import { bytesText, remoteOperand, shareFilters, sharing } from "./share-options.ts";

/** So many damaged entries are told of one by one. */
const mostTold = 10;

const skipDamaged = {
  flags: "--skip-damaged",
  synopsis: "leave out what is damaged there, instead of refusing all of it",
};

const details = [
  "Everything is read and verified before anything is changed: a profile has to hash to its name, and nothing that arrives is ever run. What others removed is",
  "removed here, what they added is added, in whatever order people push and pull. Branches, tree, index and configuration of the repository are not touched.",
].join("\n");

export const pull: Verb = {
  name: "pull",
  summary: "take over what others sent",
  details,
  examples: [
    "perfkeep pull",
    "perfkeep pull --since 2026-01-01 --collector time",
    "perfkeep pull ../results.git --limit-size 10MByte",
  ],
  operands: [remoteOperand],
  options: [
    ...shareFilters,
    skipDamaged,
    { flags: "-n, --dry-run", synopsis: "tell what would change, and change nothing" },
  ],
  formats: ["json"],
  run: async (session, args) => take(session, args, args.flag("dryRun")),
};

export const fetch: Verb = {
  name: "fetch",
  summary: "get and verify what others sent, without taking it over",
  details: "What a pull would change is told; the pull then gets nothing again.",
  examples: ["perfkeep fetch", "perfkeep fetch upstream --format json"],
  operands: [remoteOperand],
  options: [...shareFilters, skipDamaged],
  formats: ["json"],
  run: async (session, args) => take(session, args, true),
};

async function take(session: Session, args: Arguments, dryRun: boolean): Promise<number> {
  const run = (options: ShareOptions): ReturnType<typeof pullShared> =>
    pullShared(session.workspace, { ...options, skipDamaged: args.flag("skipDamaged") });
  const { remote, found, news, wireBytes, damaged } = await sharing(session, args, dryRun, run);
  const { output } = session;
  if (session.format === "json")
    output.document("perfkeep.pull/1", {
      remote,
      found,
      counts: news.counts,
      notes: news.notes,
      wireBytes,
      damaged,
      dryRun,
    });
  else
    output.data(
      `${told(terminalText(remote), found, news.counts, dryRun)}${wireBytes === 0 ? "" : `; ${bytesText(wireBytes)} on the wire`}\n`,
    );
  for (const note of news.notes) output.note(terminalText(note));
  for (const { path, reason, commit } of damaged.slice(0, mostTold))
    output.note(
      terminalText(
        `left out, for it is damaged: ${path}: ${reason}${commit === undefined ? "" : `; it came with commit ${commit}`}`,
      ),
    );
  if (damaged.length > mostTold)
    output.note(`and ${counted(damaged.length - mostTold, "damaged entry", "damaged entries")} more`);
  return damaged.length === 0 ? exitStatus.fine : exitStatus.found;
}

function told(remote: string, found: boolean, counts: Readonly<Record<string, number>>, dryRun: boolean): string {
  if (!found) return `${remote} shares nothing yet; perfkeep push begins it`;
  const what = Object.entries(counts).map(([name, count]) => `${terminalText(name)}: ${count}`);
  if (what.length === 0) return `everything of ${remote} is here`;
  return `${dryRun ? "would pull" : "pulled"} from ${remote}: ${what.join(", ")}`;
}

import { bytesText } from "../../print/index.ts";
import { gc as collect } from "../../../commands/maintenance/index.ts";
import { Failure, exitStatus } from "../../../core/failures/index.ts";
import { counted, terminalText } from "../../../core/text/index.ts";
import type { Arguments } from "../../arguments.ts";
import { openProgress } from "../../progress.ts";
import type { Session } from "../../session.ts";
import type { Verb } from "../../verb.ts";

export const gc: Verb = {
  name: "gc",
  summary: "repack the share repository and prune unneeded data; pack or unpack profiles",
  details: [
    "Only the share repository (.perun/share/git) is changed by default; profiles, indexes and experiments are not.",
    "",
    "--pack moves the registered profiles of all commits but the current one from files of their own into a few",
    "packs, where similar profiles are compressed together. All commands of perfkeep read packed profiles. Perun does",
    "not: a store that Perun created is packed with --force only. --unpack undoes it.",
    "",
    "Exit status: 0 done, 1 damaged profiles were left as they are.",
  ].join("\n"),
  options: [
    { flags: "--pack", synopsis: "move registered profiles of older commits into packs" },
    { flags: "--unpack", synopsis: "move packed profiles back into files of their own" },
    { flags: "--all", synopsis: "with --pack: also the profiles of the current commit" },
    { flags: "--force", synopsis: "with --pack: also in a store that Perun created" },
  ],
  examples: ["perfkeep gc", "perfkeep gc --pack", "perfkeep gc --unpack"],
  formats: ["json"],
  async run(session, args) {
    const progress = openProgress(session);
    const { share, packed, unpacked } = await collect(session.workspace, {
      ...optionsOf(args),
      progress: (done, total) => progress.show(done, total, "profiles"),
    }).finally(() => progress.hide());
    const { notes, ...sizes } = share;
    const damaged = [...(packed?.damaged ?? []), ...(unpacked?.damaged ?? [])];
    if (session.format === "json")
      session.output.document("perfkeep.gc/1", {
        share: sizes,
        ...(packed === undefined ? {} : { packed }),
        ...(unpacked === undefined ? {} : { unpacked }),
      });
    else {
      if (packed !== undefined) reportPacked(session, packed);
      if (unpacked !== undefined) reportUnpacked(session, unpacked);
      if (packed === undefined && unpacked === undefined) reportShare(session, sizes);
      for (const digest of damaged) session.output.data(`damaged: object ${digest}; run perfkeep fsck\n`);
    }
    for (const note of notes) session.output.note(note);
    return damaged.length === 0 ? exitStatus.fine : exitStatus.found;
  },
};

function optionsOf(args: Arguments): Omit<Parameters<typeof collect>[1], "progress"> {
  const [pack, unpack, all, force] = ["pack", "unpack", "all", "force"].map((name) => args.flag(name));
  const refuse = (what: string, instead: string): never => {
    throw new Failure("unusable-combination", { what, instead });
  };
  if (pack && unpack) refuse("--pack with --unpack", "run one after the other");
  if (!pack && all) refuse("--all without --pack", "add --pack");
  if (!pack && force) refuse("--force without --pack", "add --pack");
  return {
    ...(pack ? { action: "pack" as const } : unpack ? { action: "unpack" as const } : {}),
    all: all ?? false,
    force: force ?? false,
  };
}

function reportShare(
  { output }: Session,
  { before, after }: { readonly before: number; readonly after: number },
): void {
  if (before === 0) output.report("nothing to repack: nothing was pushed or pulled\n");
  else output.report(`repacked the share repository: ${bytesText(after)}, previously ${bytesText(before)}\n`);
}

type Collected = Awaited<ReturnType<typeof collect>>;

function reportPacked({ output }: Session, packed: NonNullable<Collected["packed"]>): void {
  const { profiles, packs, before, after, large } = packed;
  const files = `${counted(packs, "file")} of ${bytesText(after)}`;
  if (profiles === 0 && packs === 0) output.report("nothing to pack\n");
  else output.report(`packed ${counted(profiles, "profile")} of ${bytesText(before)} into ${files}\n`);
  if (large > 0) output.report(`${counted(large, "profile")} over 4 MiB: not packed\n`);
  if (packs > 0) output.note("Perun cannot read packed profiles; perfkeep gc --unpack undoes it");
}

function reportUnpacked({ output }: Session, unpacked: NonNullable<Collected["unpacked"]>): void {
  const { profiles, packs, quarantined, kept } = unpacked;
  if (packs + kept.length === 0) output.report("nothing to unpack\n");
  else output.report(`unpacked ${counted(profiles, "profile")} from ${counted(packs, "pack")}\n`);
  for (const path of quarantined) output.report(`${terminalText(path)}: damaged, nothing in it is missing\n`);
  for (const path of kept) output.data(`${terminalText(path)}: damaged, kept; run perfkeep fsck\n`);
}

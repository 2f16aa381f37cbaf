import { push as pushShared, pull as pullShared, type ShareOptions } from "../../../commands/share/index.ts";
import { Failure, exitStatus } from "../../../core/failures/index.ts";
import { counted, terminalText } from "../../../core/text/index.ts";
import { bytesText } from "../../print/index.ts";
import type { Arguments } from "../../arguments.ts";
import { confirmCommandsOf } from "../../confirm.ts";
import type { Output } from "../../output.ts";
import { openProgress } from "../../progress.ts";
import type { Session } from "../../session.ts";
import type { Verb, Operand, OptionSpec } from "../../verb.ts";
import { parseSize } from "../options.ts";

const remoteOperand: Operand = {
  name: "[remote]",
  synopsis: "git remote, URL or folder (default: share.remote, else origin, else the only remote)",
  means: ["file"],
};

/** Select the profiles to share. */
const shareFilters: readonly OptionSpec[] = [
  { flags: "--since <time>", synopsis: "only profiles measured at or after this time (UTC)" },
  { flags: "--collector <name>", synopsis: "only profiles of this collector" },
  { flags: "--limit-size <size>", synopsis: "only profiles up to this size, such as 10MByte" },
];

/** Runs `action` with the options of `args` and shows its progress. */
async function sharing<T>(
  session: Session,
  args: Arguments,
  dryRun: boolean,
  action: (options: ShareOptions) => Promise<T>,
): Promise<T> {
  const bar = openProgress(session);
  let what = "";
  const phase = (next: string): void => {
    what = next;
    bar.phase();
  };
  const progress = { phase, show: (done: number, total: number) => bar.show(done, total, what) };
  const confirm = confirmCommandsOf(session);
  return action({ ...shareOptionsOf(args, dryRun), progress, confirm }).finally(() => bar.hide());
}

function shareOptionsOf(args: Arguments, dryRun: boolean): ShareOptions {
  const remote = args.optionalOperand(0);
  const since = args.text("since");
  const collector = args.text("collector");
  const size = args.text("limitSize");
  return {
    ...(remote === undefined ? {} : { remote }),
    ...(since === undefined ? {} : { since }),
    ...(collector === undefined ? {} : { collector }),
    ...(size === undefined ? {} : { sizeLimit: parseSize("--limit-size", size) }),
    dryRun,
  };
}

/** `3 profiles, 2 versions`. */
function listed(counts: readonly (readonly [count: number, one: string, many: string])[]): string {
  return counts.map(([count, one, many]) => counted(count, one, many)).join(", ");
}

/** Notes printed without -v: a remote can have thousands of foreign entries. */
const maxNotes = 10;

export const push: Verb = {
  name: "push",
  summary: "publish results through a git remote",
  details: [
    "Profiles, their commits, detected changes and experiments are stored under refs/perfkeep/data/v1 of the remote,",
    "which clones and branch lists do not show. Concurrent pushes are merged. Branches, work tree, index and",
    "configuration of the repository are not changed.",
  ].join("\n"),
  examples: ["perfkeep push", "perfkeep push origin --dry-run", "perfkeep push ../results.git --since 2026-01-01"],
  operands: [remoteOperand],
  options: [
    ...shareFilters,
    { flags: "--repair", synopsis: "first remove unusable data from the remote, or reset it to its previous state" },
    { flags: "-n, --dry-run", synopsis: "print what would be sent, send nothing" },
  ],
  formats: ["json"],
  async run(session, args) {
    const dryRun = args.flag("dryRun");
    const repair = args.flag("repair");
    if (dryRun && repair)
      throw new Failure("unusable-combination", {
        what: "--repair with --dry-run",
        instead: "run perfkeep fetch --skip-damaged to list damaged data",
      });
    const pushed = await sharing(session, args, dryRun, (options) =>
      pushShared(session.workspace, { ...options, repair }),
    );
    const { output } = session;
    if (session.format === "json") {
      const sent = pushed.sent.map(({ kind, count }) => ({ kind, count }));
      output.document("perfkeep.push/2", { ...pushed, sent, dryRun });
    } else {
      const what = listed(pushed.sent.map(({ count, noun: [one, many] }) => [count, one, many]));
      const remote = terminalText(pushed.remote);
      if (what === "" && !pushed.hasSharedData)
        output.report(`nothing to push to ${remote}: no profiles are registered\n`);
      else if (what === "") output.report(`${remote} is up to date\n`);
      else if (dryRun) output.data(`would push to ${remote}: ${what}\n`);
      else output.report(`pushed to ${remote}: ${what}; ${bytesText(pushed.wireBytes)} transferred\n`);
      if (pushed.retries > 0) output.note(`merged concurrent pushes ${counted(pushed.retries, "time")}`);
    }
    printNotes(output, pushed.notes);
    return exitStatus.fine;
  },
};

/** Prints the first notes; all with -v. */
function printNotes(output: Output, notes: readonly string[]): void {
  const shown = output.options.verbose ? notes.length : maxNotes;
  for (const note of notes.slice(0, shown)) output.note(note);
  if (notes.length > shown) output.note(`and ${notes.length - shown} more (-v prints all)`);
}

/** Damaged entries that are printed; others are counted. */
const maxDamaged = 10;

const skipDamaged = {
  flags: "--skip-damaged",
  synopsis: "skip damaged entries instead of failing",
};

const details = [
  "Everything is verified before anything changes: profiles must hash to their ids, and received data is never",
  "executed. Removals and additions are merged, in any order of pushes and pulls. Branches, work tree, index and",
  "configuration of the repository are not changed.",
].join("\n");

export const pull: Verb = {
  name: "pull",
  summary: "fetch and merge shared results",
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
    { flags: "-n, --dry-run", synopsis: "print what would change, change nothing" },
  ],
  formats: ["json"],
  run: async (session, args) => merge(session, args, args.flag("dryRun")),
};

export const fetch: Verb = {
  name: "fetch",
  summary: "fetch and verify shared results without merging them",
  details: "Prints what a pull would change; the pull then transfers nothing again.",
  examples: ["perfkeep fetch", "perfkeep fetch upstream --format json"],
  operands: [remoteOperand],
  options: [...shareFilters, skipDamaged],
  formats: ["json"],
  run: async (session, args) => merge(session, args, true),
};

async function merge(session: Session, args: Arguments, dryRun: boolean): Promise<number> {
  const run = (options: ShareOptions): ReturnType<typeof pullShared> =>
    pullShared(session.workspace, { ...options, skipDamaged: args.flag("skipDamaged") });
  const { remote, hasSharedData, summary: news, wireBytes, damaged } = await sharing(session, args, dryRun, run);
  const { output } = session;
  if (session.format === "json")
    output.document("perfkeep.pull/2", {
      remote,
      hasSharedData,
      counts: news.counts,
      notes: news.notes,
      wireBytes,
      damaged,
      dryRun,
    });
  else
    output.data(
      [
        summaryText(terminalText(remote), hasSharedData, news.counts, dryRun),
        ...(wireBytes === 0 ? [] : [`${bytesText(wireBytes)} transferred`]),
      ].join("; ") + "\n",
    );
  for (const note of news.notes) output.note(note);
  for (const { path, reason, commit } of damaged.slice(0, maxDamaged))
    output.note(`skipped damaged entry ${path}: ${reason}${commit === undefined ? "" : `; added by commit ${commit}`}`);
  if (damaged.length > maxDamaged)
    output.note(`and ${counted(damaged.length - maxDamaged, "damaged entry", "damaged entries")} more`);
  return damaged.length === 0 ? exitStatus.fine : exitStatus.found;
}

function summaryText(
  remote: string,
  found: boolean,
  counts: Readonly<Record<string, number>>,
  dryRun: boolean,
): string {
  if (!found) return `${remote} has no shared results; perfkeep push publishes some`;
  const what = Object.entries(counts).map(([name, count]) => `${terminalText(name)}: ${count}`);
  if (what.length === 0) return `already up to date with ${remote}`;
  return `${dryRun ? "would pull" : "pulled"} from ${remote}: ${what.join(", ")}`;
}

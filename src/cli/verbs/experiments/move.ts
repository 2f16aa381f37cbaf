import { missingJson } from "../../print/index.ts";
import { counted, terminalText } from "../../../core/text/index.ts";
import { movableExperiments, moveExperiments, type MoveOptions } from "../../../commands/experiments/index.ts";
import { Failure, exitStatus } from "../../../core/failures/index.ts";
import type { Arguments } from "../../arguments.ts";
import { openProgress } from "../../progress.ts";
import type { Session } from "../../session.ts";
import type { Verb } from "../../verb.ts";
import { databaseOf, databaseOption } from "../options.ts";

export const move: Verb = {
  name: "move",
  summary: "move experiments to another database",
  details: [
    "Moves description, rights, runs (also deleted ones), attachments, parameter sets and history. The target stores",
    "everything in one transaction; the experiment is deleted here only after a digest of the stored copy matches. If",
    "the command is killed before that, nothing has changed; after that, running it again completes it. Imports into",
    "the source wait meanwhile and then report the move.",
  ].join("\n"),
  examples: [
    "perfkeep move b_eff_io --to postgres://ann@host/bench",
    "perfkeep move --all --to embedded --db postgres://ann@host/bench --keep",
  ],
  operands: [{ name: "[experiments...]", synopsis: "names of experiments", means: ["experiment"] }],
  options: [
    {
      flags: "--to <location>",
      synopsis: "target database: embedded (the instance's own), a file or a URL",
      means: ["file"],
    },
    { flags: "--all", synopsis: "move all experiments" },
    { flags: "--keep", synopsis: "keep the source experiments" },
    { flags: "-n, --dry-run", synopsis: "print what would be moved, change nothing" },
    { ...databaseOption, synopsis: "source database (default: PERFKEEP_DB, else the instance's own)" },
  ],
  formats: ["json"],
  async run(session, args) {
    const options = optionsOf(session, args);
    await (args.flag("dryRun") ? printPlan(session, options) : run(session, options));
    return exitStatus.fine;
  },
};

function optionsOf(session: Session, args: Arguments): MoveOptions {
  const [names, all, to] = [args.rest(0), args.flag("all"), args.text("to")];
  if (to === undefined) throw new Failure("no-move-target");
  if (all && names.length > 0)
    throw new Failure("unusable-combination", { what: "--all with names", instead: "give one of them" });
  if (!all && names.length === 0) throw new Failure("missing-operand", { index: 1 });
  return {
    to,
    keep: args.flag("keep"),
    ...(all ? {} : { names }),
    ...databaseOf(args),
    waiting: (busy) => {
      if (session.streams.stderr.isTTY) session.output.note(`waiting: ${busy.message}`);
    },
  };
}

async function run(session: Session, options: MoveOptions): Promise<void> {
  const progress = openProgress(session);
  const shown = (done: number, total: number, name: string): void => progress.show(done, total, name);
  const moved = await moveExperiments(session.workspace, { ...options, progress: shown }).finally(() =>
    progress.hide(),
  );
  const { from, to, experiments } = moved;
  if (session.format === "json") {
    const kept = options.keep === true;
    session.output.document("perfkeep.move/2", {
      from,
      to,
      kept,
      planned: false,
      experiments: experiments.map(movedJson),
    });
    return;
  }
  for (const each of experiments) printMoved(session, each, { verb: options.keep ? "copied" : "moved", to });
  noteTarget(session, experiments.length, to);
}

type MovedExperiment = Awaited<ReturnType<typeof moveExperiments>>["experiments"][number];

function movedJson({ id: _id, former: _former, digest, missing, ...each }: MovedExperiment): object {
  return {
    ...each,
    ...(digest === undefined ? {} : { rowsDigest: digest }),
    ...(missing === undefined ? {} : { missing: missing.map(missingJson) }),
  };
}

function printMoved(
  { output }: Session,
  { experiment, runs, rows, digest, resumed, history, missing = [], former, owner, unknownRoles }: MovedExperiment,
  { verb, to }: { readonly verb: string; readonly to: string },
): void {
  const digestNote = digest === undefined ? "" : `, digest ${digest}`;
  const ended = resumed ? ", completing an earlier move" : "";
  output.data(`${verb} ${amount({ experiment, runs, rows })} to ${terminalText(to)}${digestNote}${ended}\n`);
  for (const { object, what } of missing) output.note(`not on this machine and not moved: ${what} (object ${object})`);
  if (history === false) output.note(`the history of ${experiment} is incomplete and was not moved`);
  if (former !== undefined && owner !== undefined && former !== owner)
    output.note(`${owner} owns ${experiment} there; the owner here was ${former}`);
  if (unknownRoles.length > 0)
    output.note(`the server has no user or group ${unknownRoles.join(", ")}: grant again once it exists`);
}

async function printPlan(session: Session, options: MoveOptions): Promise<void> {
  const { from, to, experiments } = await movableExperiments(session.workspace, options);
  if (session.format === "json") {
    const planned = experiments.map(({ experiment, runs, rows }) => ({ experiment, runs, rows }));
    session.output.document("perfkeep.move/2", {
      from,
      to,
      kept: options.keep === true,
      planned: true,
      experiments: planned,
    });
    return;
  }
  const verb = options.keep ? "would copy" : "would move";
  for (const each of experiments) session.output.data(`${verb} ${amount(each)} to ${terminalText(to)}\n`);
  if (experiments.length === 0) session.output.note("no experiments");
}

function amount({
  experiment,
  runs,
  rows,
}: {
  readonly experiment: string;
  readonly runs: number;
  readonly rows: number;
}): string {
  return `${terminalText(experiment)} with ${counted(runs, "run")} and ${counted(rows, "row")}`;
}

function noteTarget(session: Session, count: number, to: string): void {
  if (count === 0) session.output.note("no experiments");
  else session.output.note(`query them with --db ${to}, or PERFKEEP_DB=${to}`);
}

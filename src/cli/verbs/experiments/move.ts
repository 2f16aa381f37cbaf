import { counted } from "../../../core/text/plural.ts";
import {
  movableExperiments,
  moveExperiments,
  type MoveOptions,
} from "../../../commands/experiments/move-experiment.ts";
import { Failure } from "../../../core/failures/failure.ts";
import { exitStatus } from "../../../core/failures/kind.ts";
import { terminalText } from "../../../core/text/terminal-text.ts";
import type { Arguments } from "../../arguments.ts";
import { openProgress } from "../../progress.ts";
import type { Session } from "../../session.ts";
import type { Verb } from "../../verb.ts";
import { databaseOf, databaseOption } from "../options.ts";

export const move: Verb = {
  name: "move",
  summary: "move experiments to another database",
  details: [
    "All of an experiment goes: description, rights, runs (deleted ones, too), attachments, parameter sets, history. In the other database everything",
    "is stored in one transaction, read again, and compared by a digest; only then is the experiment given up here. What is killed before that leaves",
    "everything as it was; what is killed behind it is ended by the same command. Whoever imports here meanwhile waits, and is told then.",
  ].join("\n"),
  examples: [
    "perfkeep move b_eff_io --to postgres://ann@host/bench",
    "perfkeep move --all --to embedded --db postgres://ann@host/bench --keep",
  ],
  operands: [{ name: "[experiments...]", synopsis: "their names", means: ["experiment"] }],
  options: [
    {
      flags: "--to <place>",
      synopsis: "the other database: embedded (the instance's own), a path, or the address of a server",
      means: ["file"],
    },
    { flags: "--all", synopsis: "all experiments that there are" },
    { flags: "--keep", synopsis: "they stay here, too" },
    { flags: "-n, --dry-run", synopsis: "say what would be moved, change nothing" },
    { ...databaseOption, synopsis: "the database where they are (default: PERFKEEP_DB, else the instance's own)" },
  ],
  formats: ["json"],
  async run(session, args) {
    const options = optionsOf(session, args);
    await (args.flag("dryRun") ? look(session, options) : run(session, options));
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
    const told = experiments.map(({ id: _id, former: _former, ...each }) => each);
    session.output.document("perfkeep.move/1", {
      from,
      to,
      kept: options.keep === true,
      planned: false,
      experiments: told,
    });
    return;
  }
  const verb = options.keep ? "copied" : "moved";
  for (const {
    experiment,
    runs,
    dataSets,
    contents,
    resumed,
    history,
    missing = [],
    former,
    owner,
    waiting,
  } of experiments) {
    const digest = contents === undefined ? "" : `, contents ${contents}`;
    const ended = resumed ? ", which an earlier move had copied" : "";
    session.output.data(`${verb} ${amount({ experiment, runs, dataSets })} to ${terminalText(to)}${digest}${ended}\n`);
    for (const { object, what } of missing)
      session.output.note(`not on this machine, and not moved: ${terminalText(what)} (object ${object})`);
    if (history === false)
      session.output.note(`the history of ${terminalText(experiment)} is not known whole and was not moved`);
    if (former !== undefined && owner !== undefined && former !== owner)
      session.output.note(
        `${terminalText(owner)} owns ${terminalText(experiment)} there; here it was ${terminalText(former)}`,
      );
    if (waiting.length > 0)
      session.output.note(
        `the server has no user or group ${waiting.map(terminalText).join(", ")}: grant again when it has`,
      );
  }
  tellWhere(session, experiments.length, to);
}

async function look(session: Session, options: MoveOptions): Promise<void> {
  const { from, to, experiments } = await movableExperiments(session.workspace, options);
  if (session.format === "json") {
    const told = experiments.map(({ experiment, runs, dataSets }) => ({ experiment, runs, dataSets }));
    session.output.document("perfkeep.move/1", {
      from,
      to,
      kept: options.keep === true,
      planned: true,
      experiments: told,
    });
    return;
  }
  const verb = options.keep ? "would copy" : "would move";
  for (const each of experiments) session.output.data(`${verb} ${amount(each)} to ${terminalText(to)}\n`);
  if (experiments.length === 0) session.output.note("there are no experiments");
}

function amount({
  experiment,
  runs,
  dataSets,
}: {
  readonly experiment: string;
  readonly runs: number;
  readonly dataSets: number;
}): string {
  return `${terminalText(experiment)} with ${counted(runs, "run")} and ${counted(dataSets, "data set")}`;
}

function tellWhere(session: Session, count: number, to: string): void {
  if (count === 0) session.output.note("there are no experiments");
  else session.output.note(`ask there with --db ${terminalText(to)}, or PERFKEEP_DB=${terminalText(to)}`);
}

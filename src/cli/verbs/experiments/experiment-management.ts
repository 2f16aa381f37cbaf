import { counted } from "../../../core/text/plural.ts";
import { checkExperiments } from "../../../commands/experiments/check-experiments.ts";
import {
  deleteExperiment,
  requireDeletable,
  type Deleted,
  type DeleteTarget,
} from "../../../commands/experiments/delete-experiment.ts";
import { undeleteExperiment } from "../../../commands/experiments/undelete-experiment.ts";
import { updateExperiment, type ExperimentChanges } from "../../../commands/experiments/update-experiment.ts";
import { Failure } from "../../../core/failures/failure.ts";
import { exitStatus } from "../../../core/failures/kind.ts";
import { terminalText } from "../../../core/text/terminal-text.ts";
import type { Arguments } from "../../arguments.ts";
import type { Session } from "../../session.ts";
import type { Verb } from "../../verb.ts";
import { databaseOption, databaseOf, runNumbers } from "../options.ts";

const experimentOperand = { name: "<experiment>", synopsis: "its name" };

/** What `perfkeep experiment` can do to experiments that are there. */
export const managementVerbs: readonly Verb[] = [
  {
    name: "update",
    summary: "change an experiment's description",
    examples: ["perfkeep experiment update memory-2.exp"],
    details: [
      "FILE is an update, or the description as it is to be. All of it happens, or nothing. In runs that are there already a new parameter takes",
      "its default, and a new result has no content. Stored numbers stay as they are when a unit changes; a unit of another kind is refused.",
    ].join("\n"),
    operands: [{ name: "<file>", synopsis: "an update or an experiment description (text or XML)" }],
    options: [
      { flags: "-e, --experiment <name>", synopsis: "another experiment than the file names" },
      { flags: "-t, --dry-run", synopsis: "say what would change, change nothing" },
      databaseOption,
    ],
    formats: ["json"],
    run: update,
  },
  {
    name: "delete",
    summary: "delete an experiment, or runs of it",
    examples: ["perfkeep experiment delete io --file results/bad.txt", "perfkeep experiment delete io --run 3,4"],
    details: [
      "What is deleted is in no list and no answer any more, and `experiment undelete` brings it back. The files of deleted runs can be imported",
      "again. --purge and --deleted drop for good; the raw files stay in the object store.",
    ].join("\n"),
    operands: [experimentOperand],
    options: [
      { flags: "-r, --run <numbers>", synopsis: "only these runs, joined by commas", repeat: true },
      {
        flags: "--file <path>",
        synopsis: "only the runs that came from this file (the same bytes, else the same path)",
      },
      { flags: "--pset <name>", synopsis: "only this parameter set" },
      { flags: "--deleted", synopsis: "drop the runs that were deleted for good" },
      { flags: "--purge", synopsis: "drop the experiment for good" },
      { flags: "-f, --force", synopsis: "do not ask" },
      databaseOption,
    ],
    formats: ["json"],
    run: remove,
  },
  {
    name: "undelete",
    summary: "bring a deleted experiment back, or deleted runs",
    examples: ["perfkeep experiment undelete io --run 3"],
    operands: [experimentOperand],
    options: [
      { flags: "-r, --run <number>", synopsis: "this run, not the experiment", repeat: true },
      { flags: "--name <name>", synopsis: "a new name for the experiment" },
      { flags: "-f, --force", synopsis: "bring runs back although their files were imported again" },
      databaseOption,
    ],
    formats: ["json"],
    run: undelete,
  },
  {
    name: "check",
    summary: "find what does not fit together in the database",
    examples: ["perfkeep experiment check", "perfkeep experiment check io --fix"],
    details:
      "Compares data, catalogue and kept files. Exit status: 0 nothing found (or all of it mended), 1 something was found.",
    operands: [{ name: "[experiment]", synopsis: "only this one" }],
    options: [{ flags: "--fix", synopsis: "mend what can be mended without losing contents" }, databaseOption],
    formats: ["json"],
    run: check,
  },
];

async function update(session: Session, args: Arguments): Promise<number> {
  const name = args.text("experiment");
  const { after, changes, stored } = await updateExperiment(session.workspace, {
    file: args.operand(0),
    ...(name === undefined ? {} : { experiment: name }),
    dryRun: args.flag("dryRun"),
    ...databaseOf(args),
  });
  const variables = after.variables.map((variable) => variable.name);
  if (session.format === "json")
    session.output.document("perfkeep.experiment-update/1", { experiment: after.name, variables, ...changes, stored });
  else {
    const what = stored ? "updated" : "would update";
    session.output.data(`${what} ${terminalText(after.name)}: ${terminalText(changesText(changes))}\n`);
  }
  return exitStatus.fine;
}

function changesText({ added, gone, renamed, altered, about }: ExperimentChanges): string {
  const all = [
    ...gone.map((name) => `-${name}`),
    ...added.map((name) => `+${name}`),
    ...renamed.map(({ from, to }) => `${from} is now ${to}`),
    ...altered.map((name) => `${name} altered`),
    ...(about ? ["what is said of it"] : []),
  ];
  return all.length === 0 ? "nothing changed" : all.join(", ");
}

async function remove(session: Session, args: Arguments): Promise<number> {
  const [name, target, purge] = [args.operand(0), targetOf(args), args.flag("purge")];
  const question = `Delete ${told(name, target)}${purge || "deletedRuns" in target ? " for good" : ""}?`;
  if (!args.flag("force")) await requireDeletable(session.workspace, { experiment: name, target, ...databaseOf(args) });
  if (!args.flag("force") && !(await session.confirm(question, "add --force to delete without a question")))
    return exitStatus.fine;
  const deleted = await deleteExperiment(session.workspace, { experiment: name, target, purge, ...databaseOf(args) });
  if (session.format === "json") session.output.document("perfkeep.experiment-delete/1", deleted);
  else session.output.data(`deleted ${terminalText(said(deleted))}\n`);
  return exitStatus.fine;
}

/** Fails with `unusable-combination` when more than one thing is meant. */
function targetOf(args: Arguments): DeleteTarget {
  const [runs, file, parameterSet] = [runNumbers(args), args.text("file"), args.text("pset")];
  const meant: DeleteTarget[] = [
    ...(runs.length > 0 ? [{ runs: [...new Set(runs)] }] : []),
    ...(file === undefined ? [] : [{ file }]),
    ...(parameterSet === undefined ? [] : [{ parameterSet }]),
    ...(args.flag("deleted") ? [{ deletedRuns: true } as const] : []),
    ...(args.flag("purge") ? [{ whole: true } as const] : []),
  ];
  if (meant.length > 1)
    throw new Failure("unusable-combination", {
      what: "--run, --file, --pset, --deleted and --purge each mean something else",
      instead: "give one of them",
    });
  return meant[0] ?? { whole: true };
}

function told(name: string, target: DeleteTarget): string {
  if ("runs" in target) return `${runsText(target.runs)} of ${name}`;
  if ("file" in target) return `all runs of ${name} that came from ${target.file}`;
  if ("parameterSet" in target) return `the parameter set ${target.parameterSet} of ${name}`;
  if ("deletedRuns" in target) return `the deleted runs of ${name}`;
  return `the experiment ${name} with all its runs`;
}

function said({ experiment, runs, parameterSet }: Deleted): string {
  if (parameterSet !== undefined) return `parameter set ${parameterSet} of ${experiment}`;
  return runs === undefined ? experiment : `${runsText(runs)} of ${experiment}`;
}

function runsText(runs: readonly number[]): string {
  if (runs.length === 0) return "no runs";
  return runs.length === 1 ? `run ${runs[0]}` : `runs ${runs.join(", ")}`;
}

async function undelete(session: Session, args: Arguments): Promise<number> {
  const [runs, name] = [runNumbers(args), args.text("name")];
  if (runs.length > 0 && name !== undefined)
    throw new Failure("unusable-combination", {
      what: "--name is for experiments, not for runs",
      instead: "leave it out",
    });
  const back = await undeleteExperiment(session.workspace, {
    experiment: args.operand(0),
    ...(runs.length === 0 ? {} : { runs: [...new Set(runs)] }),
    ...(name === undefined ? {} : { name }),
    force: args.flag("force"),
    ...databaseOf(args),
  });
  if (session.format === "json") session.output.document("perfkeep.experiment-undelete/1", back);
  else
    session.output.data(
      `brought back ${back.runs === undefined ? "" : `${runsText(back.runs)} of `}${terminalText(back.experiment)}\n`,
    );
  return exitStatus.fine;
}

async function check(session: Session, args: Arguments): Promise<number> {
  const name = args.maybeOperand(0);
  const { findings, mended } = await checkExperiments(session.workspace, {
    ...(name === undefined ? {} : { experiment: name }),
    fix: args.flag("fix"),
    ...databaseOf(args),
  });
  const left = findings.filter((finding) => !mended.includes(finding));
  const { output } = session;
  if (session.format === "json") output.document("perfkeep.experiment-check/1", { findings, mended: mended.length });
  else {
    for (const finding of findings) {
      const place = finding.experiment === undefined ? "" : `${terminalText(finding.experiment)}: `;
      output.data(`${mended.includes(finding) ? "mended" : finding.code}: ${place}${terminalText(finding.message)}\n`);
    }
    output.data(
      left.length === 0
        ? "everything fits together\n"
        : `${counted(left.length, "problem")}${hint(left.some((each) => each.mendable))}\n`,
    );
  }
  return left.length === 0 ? exitStatus.fine : exitStatus.found;
}

function hint(mendable: boolean): string {
  return mendable
    ? "; --fix mends what can be mended"
    : "; perfkeep rebuild experiments makes the database again from what is kept";
}

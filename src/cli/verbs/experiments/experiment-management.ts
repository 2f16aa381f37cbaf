import { counted, terminalText } from "../../../core/text/index.ts";
import {
  checkExperiments,
  deleteExperiment,
  requireDeletable,
  partialText,
  type Deleted,
  type DeleteTarget,
  undeleteExperiment,
  updateExperiment,
  type UpdateEffects,
  type ExperimentChanges,
} from "../../../commands/experiments/index.ts";
import type { RunName } from "../../../core/experiments/index.ts";
import { Failure, exitStatus } from "../../../core/failures/index.ts";
import type { Arguments } from "../../arguments.ts";
import type { Session } from "../../session.ts";
import type { Verb } from "../../verb.ts";
import { confirmOrFail } from "../../confirm.ts";
import { databaseOption, databaseOf, runNames } from "../options.ts";

const experimentOperand = { name: "<experiment>", synopsis: "name of the experiment" };

/** Subverbs of `perfkeep experiment` that change or check existing experiments. */
export const managementVerbs: readonly Verb[] = [
  {
    name: "update",
    summary: "change an experiment's description",
    examples: ["perfkeep experiment update memory-2.exp"],
    details: [
      "FILE is an update or the new description. Either all changes are made or none. In existing runs a new parameter",
      "takes its default and a new result has no value. If a unit changes, the stored numbers are converted (--relabel",
      "keeps them); an incompatible unit is refused. Dropping a variable that has values asks for confirmation.",
    ].join("\n"),
    operands: [{ name: "<file>", synopsis: "update or experiment description (text or XML)" }],
    options: [
      { flags: "-e, --experiment <name>", synopsis: "update this experiment, not the one the file names" },
      { flags: "-t, --dry-run", synopsis: "print the changes without making them" },
      { flags: "--relabel", synopsis: "keep the stored numbers of variables whose unit changes" },
      { flags: "-f, --force", synopsis: "delete the values of dropped variables without confirmation" },
      databaseOption,
    ],
    formats: ["json"],
    run: update,
  },
  {
    name: "delete",
    summary: "delete an experiment or some of its runs",
    examples: ["perfkeep experiment delete io --file results/bad.txt", "perfkeep experiment delete io --run 3,4"],
    details: [
      "Deleted experiments and runs are no longer listed or queried; `experiment undelete` restores them. The files of",
      "deleted runs can be imported again. --purge and --deleted delete permanently; raw files stay in the object",
      "store.",
    ].join("\n"),
    operands: [experimentOperand],
    options: [
      { flags: "-r, --run <names>", synopsis: "only these runs, by number or label, comma-separated", repeat: true },
      {
        flags: "--file <path>",
        synopsis: "only runs of this file: imported from the same bytes, else from its path, else with its rows",
      },
      {
        flags: "-d, --description <file>",
        synopsis: "with --file: input description to find its rows (default: those of the experiment's runs)",
        advanced: true,
      },
      { flags: "--pset <name>", synopsis: "only this parameter set" },
      { flags: "--deleted", synopsis: "permanently delete runs that were deleted before" },
      { flags: "--purge", synopsis: "permanently delete the experiment" },
      { flags: "-f, --force", synopsis: "do not ask for confirmation" },
      databaseOption,
    ],
    formats: ["json"],
    run: remove,
  },
  {
    name: "undelete",
    summary: "restore a deleted experiment or deleted runs",
    examples: ["perfkeep experiment undelete io --run 3"],
    operands: [experimentOperand],
    options: [
      {
        flags: "-r, --run <name>",
        synopsis: "restore this run, by number or label, instead of the experiment",
        repeat: true,
      },
      { flags: "--name <name>", synopsis: "new name of the experiment" },
      { flags: "-f, --force", synopsis: "restore runs even if their files were imported again" },
      databaseOption,
    ],
    formats: ["json"],
    run: undelete,
  },
  {
    name: "check",
    summary: "check the consistency of the database",
    examples: ["perfkeep experiment check", "perfkeep experiment check io --fix"],
    details:
      "Compares data, catalogue and stored files. Exit status: 0 no problems, or all repaired; 1 problems remain.",
    operands: [{ name: "[experiment]", synopsis: "check only this experiment" }],
    options: [{ flags: "--fix", synopsis: "repair problems that can be repaired without data loss" }, databaseOption],
    formats: ["json"],
    run: check,
  },
];

async function update(session: Session, args: Arguments): Promise<number> {
  const name = args.text("experiment");
  const { after, changes, deleted, units, stored } = await updateExperiment(session.workspace, {
    file: args.operand(0),
    ...(name === undefined ? {} : { experiment: name }),
    dryRun: args.flag("dryRun"),
    relabel: args.flag("relabel"),
    review: (effects) => reviewEffects(session, effects, args.flag("force")),
    ...databaseOf(args),
  });
  const variables = after.variables.map((variable) => variable.name);
  if (session.format === "json")
    session.output.document("perfkeep.experiment-update/2", {
      experiment: after.name,
      variables,
      ...changes,
      ...(deleted.length === 0 ? {} : { deleted }),
      ...(units.length === 0 ? {} : { units }),
      stored,
    });
  else {
    if (!stored) printEffects(session, { experiment: after.name, deleted, units });
    const what = stored ? "updated" : "would update";
    session.output.report(`${what} ${terminalText(after.name)}: ${terminalText(changesText(changes))}\n`);
  }
  return exitStatus.fine;
}

/** Prints the effects on stored values before they happen, and asks before values are deleted. */
async function reviewEffects(session: Session, effects: UpdateEffects, isForced: boolean): Promise<void> {
  printEffects(session, effects);
  const names = effects.deleted.map(({ name }) => name).join(", ");
  if (names === "" || isForced) return;
  const question = `Delete all values of ${terminalText(names)}?`;
  await confirmOrFail(session, question, "nothing was changed", "add --force to delete them without confirmation");
}

function printEffects({ output }: Session, { deleted, units }: UpdateEffects): void {
  for (const { name, from, to, values, factor } of units) {
    const [number, unit] = [counted(values, "value"), `from ${from} to ${to}`];
    const what =
      factor === undefined
        ? `keeps ${number}, and changes the unit ${unit}`
        : `converts ${number} ${unit}: multiplied by ${String(factor)}`;
    output.note(`${name}: ${what}`);
  }
  for (const { name, values } of deleted) output.note(`${name}: deletes ${counted(values, "value")}`);
}

function changesText({ added, dropped: gone, renamed, altered, metadataChanged: about }: ExperimentChanges): string {
  const all = [
    ...gone.map((name) => `-${name}`),
    ...added.map((name) => `+${name}`),
    ...renamed.map(({ from, to }) => `${from} is now ${to}`),
    ...altered.map((name) => `${name} altered`),
    ...(about ? ["metadata"] : []),
  ];
  return all.length === 0 ? "nothing changed" : all.join(", ");
}

async function remove(session: Session, args: Arguments): Promise<number> {
  const [name, target, purge] = [args.operand(0), targetOf(args), args.flag("purge")];
  const question = `Delete ${targetText(name, target)}${purge || "deletedRuns" in target ? " permanently" : ""}?`;
  if (!args.flag("force")) await requireDeletable(session.workspace, { experiment: name, target, ...databaseOf(args) });
  if (!args.flag("force"))
    await confirmOrFail(session, question, "nothing was deleted", "add --force to delete without confirmation");
  const deleted = await deleteExperiment(session.workspace, { experiment: name, target, purge, ...databaseOf(args) });
  if (session.format === "json") session.output.document("perfkeep.experiment-delete/1", deleted);
  else session.output.report(`deleted ${terminalText(deletedText(deleted))}\n`);
  const { partial = [] } = deleted;
  if (partial.length > 0 && "file" in target)
    session.output.note(`not deleted: ${target.file} has only ${partialText(partial)}`);
  return exitStatus.fine;
}

/** Fails with `unusable-combination` for more than one target. */
function targetOf(args: Arguments): DeleteTarget {
  const [runs, file, parameterSet] = [runNames(args), args.text("file"), args.text("pset")];
  const description = args.text("description");
  if (description !== undefined && file === undefined)
    throw new Failure("unusable-combination", { what: "--description without --file", instead: "add --file PATH" });
  const targets: DeleteTarget[] = [
    ...(runs.length > 0 ? [{ runs: [...new Set(runs)] }] : []),
    ...(file === undefined ? [] : [{ file, ...(description === undefined ? {} : { description }) }]),
    ...(parameterSet === undefined ? [] : [{ parameterSet }]),
    ...(args.flag("deleted") ? [{ deletedRuns: true } as const] : []),
    ...(args.flag("purge") ? [{ whole: true } as const] : []),
  ];
  if (targets.length > 1)
    throw new Failure("unusable-combination", {
      what: "--run, --file, --pset, --deleted and --purge select different targets",
      instead: "give one of them",
    });
  return targets[0] ?? { whole: true };
}

function targetText(name: string, target: DeleteTarget): string {
  if ("runs" in target) return `${runsText(target.runs)} of ${name}`;
  if ("file" in target) return `all runs of ${name} from ${target.file}`;
  if ("parameterSet" in target) return `the parameter set ${target.parameterSet} of ${name}`;
  if ("deletedRuns" in target) return `the deleted runs of ${name}`;
  return `the experiment ${name} with all its runs`;
}

function deletedText({ experiment, runs, parameterSet }: Deleted): string {
  if (parameterSet !== undefined) return `parameter set ${parameterSet} of ${experiment}`;
  return runs === undefined ? experiment : `${runsText(runs)} of ${experiment}`;
}

function runsText(runs: readonly RunName[]): string {
  if (runs.length === 0) return "no runs";
  return runs.length === 1 ? `run ${runs[0]}` : `runs ${runs.join(", ")}`;
}

async function undelete(session: Session, args: Arguments): Promise<number> {
  const [runs, name] = [runNames(args), args.text("name")];
  if (runs.length > 0 && name !== undefined)
    throw new Failure("unusable-combination", {
      what: "--name is for experiments, not for runs",
      instead: "remove it",
    });
  const restored = await undeleteExperiment(session.workspace, {
    experiment: args.operand(0),
    ...(runs.length === 0 ? {} : { runs: [...new Set(runs)] }),
    ...(name === undefined ? {} : { name }),
    force: args.flag("force"),
    ...databaseOf(args),
  });
  const { experiment, runs: numbers } = restored;
  const what = `${numbers === undefined ? "" : `${runsText(numbers)} of `}${terminalText(experiment)}`;
  if (session.format === "json") session.output.document("perfkeep.experiment-undelete/1", restored);
  else session.output.report(`restored ${what}\n`);
  return exitStatus.fine;
}

async function check(session: Session, args: Arguments): Promise<number> {
  const name = args.optionalOperand(0);
  const { findings, repaired: fixed } = await checkExperiments(session.workspace, {
    ...(name === undefined ? {} : { experiment: name }),
    fix: args.flag("fix"),
    ...databaseOf(args),
  });
  const remaining = findings.filter((finding) => !fixed.includes(finding));
  const { output } = session;
  if (session.format === "json") output.document("perfkeep.experiment-check/2", { findings, fixed: fixed.length });
  else {
    for (const finding of findings) {
      const prefix = finding.experiment === undefined ? "" : `${terminalText(finding.experiment)}: `;
      output.data(
        `${fixed.includes(finding) ? "repaired" : finding.code}: ${prefix}${terminalText(finding.message)}\n`,
      );
    }
    output.data(
      remaining.length === 0
        ? "no problems\n"
        : `${counted(remaining.length, "problem")}${hint(remaining.some((each) => each.fixable))}\n`,
    );
  }
  return remaining.length === 0 ? exitStatus.fine : exitStatus.found;
}

function hint(isRepairable: boolean): string {
  return isRepairable
    ? "; --fix repairs some of them"
    : "; perfkeep rebuild experiments rebuilds the database from stored files";
}

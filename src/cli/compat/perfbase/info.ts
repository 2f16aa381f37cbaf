import { infoExperiment, type ExperimentInfo } from "../../../commands/info-experiment.ts";
import { listExperiments } from "../../../commands/list-experiments.ts";
import { terminalLines, terminalText } from "../../../core/terminal-text.ts";
import { formatUnit } from "../../../core/unit.ts";
import { formatValue, type Values } from "../../../core/value.ts";
import type { Variable } from "../../../core/variable.ts";
import type { Verb } from "../../verb.ts";
import { runNumber } from "../../verbs/options.ts";
import { databaseOf, everyOption, experimentOption, namedExperiment } from "./options.ts";

export const info: Verb = {
  name: "info",
  summary: "describe experiments, their values, runs and parameter sets",
  options: [
    experimentOption,
    { flags: "--all", synopsis: "list all experiments" },
    { flags: "-i, --info", synopsis: "general facts" },
    { flags: "--val [pattern]", synopsis: "the values whose names this pattern finds", also: ["--value"] },
    { flags: "-r, --run <number>", synopsis: "one run" },
    { flags: "-p, --pset <name>", synopsis: "the contents of a parameter set" },
    { flags: "--deleted", synopsis: "deleted runs, too" },
    ...everyOption,
  ],
  async run(session, args) {
    const experiment = args.flag("all") ? undefined : namedExperiment(session, args);
    const place = databaseOf(session, args);
    if (experiment === undefined) {
      for (const { name, runs, synopsis } of await listExperiments(session.workspace, place))
        session.output.data(`${terminalText(name)}\t${runs} runs\t${terminalText(synopsis ?? "")}\n`);
      return 0;
    }
    const [values, parameterSet, run] = [args.text("val"), args.text("pset"), args.text("run")];
    const found = await infoExperiment(session.workspace, {
      experiment,
      deleted: true,
      ...(values === undefined || values === "" ? {} : { variables: values }),
      ...(parameterSet === undefined ? {} : { parameterSet }),
      ...place,
    });
    if (parameterSet !== undefined) session.output.data(setText(parameterSet, found));
    else if (run !== undefined) session.output.data(runText(found, runNumber(run)));
    else
      session.output.data(
        aboutText(found, args.flag("deleted"), session.output.options.verbose || values !== undefined || args.flag("val")),
      );
    return 0;
  },
};

function setText(name: string, { experiment, contents = new Map() as Values }: ExperimentInfo): string {
  const lines = [...contents].map(([variable, value]) => {
    const type = experiment.variables.find((each) => each.name === variable)?.type ?? "text";
    return `  ${terminalText(variable)} = ${terminalText(formatValue(value, type))}\n`;
  });
  return `parameter set '${terminalText(name)}':\n${lines.join("")}`;
}

function runText({ runs }: ExperimentInfo, number: number): string {
  const run = runs.find((each) => each.number === number);
  if (!run) return `no run ${number}\n`;
  const files = run.sources.map(({ path }) => terminalText(path)).join(", ");
  return `Run ${number}${run.active ? "" : " (deleted)"}\n Synopsis : ${terminalText(run.synopsis ?? "")}\n Data sets: ${run.dataSets}\n Files    : ${files}\n`;
}

function aboutText({ experiment: about, runs, attachments, parameterSets }: ExperimentInfo, deleted: boolean, withValues: boolean): string {
  const numbers = (active: boolean): number[] => runs.filter((run) => run.active === active).map((run) => run.number);
  const kept = (kind: string): string[] => attachments.filter((each) => each.kind === kind).map((each) => terminalText(each.name));
  const lines = [
    `Experiment ${about.name}`,
    ` Creator     : ${terminalText(about.performedBy ?? "")}`,
    ` Organization: ${terminalText(about.organization ?? "")}`,
    ` Project     : ${terminalText(about.project ?? "")}`,
    ` Synopsis    : ${terminalText(about.synopsis ?? "")}`,
    ` Description : ${terminalLines(about.description ?? "")}`,
    ` Readers     : ${about.readers.map(terminalText).join(" ")}`,
    ` Writers     : ${about.writers.map(terminalText).join(" ")}`,
    ` Parameter sets    : ${parameterSets.map(terminalText).join(" ")}`,
    ` Input descriptions: ${kept("input").join(" ")}`,
    ` Query descriptions: ${kept("query").join(" ")}`,
    ` Active runs : ${numbers(true).length}`,
    ` Indices of active runs: [${numbers(true).join(", ")}]`,
    ` Deleted runs: ${numbers(false).length}`,
    ...(deleted ? [` Indices of deleted runs: [${numbers(false).join(", ")}]`] : []),
  ];
  return `${[...lines, ...(withValues ? about.variables.flatMap(valueLines) : [])].join("\n")}\n`;
}

function valueLines(variable: Variable): string[] {
  const { name, type, size, unit, role, occurrence, synopsis, default: fallback, valid } = variable;
  return [
    ` '${name}': ${type}${size === undefined ? "" : `(${size})`} [${formatUnit(unit)}]`,
    `    ${role} value, ${occurrence === "once" ? "single" : "multiple"} occurence`,
    ...(synopsis === undefined ? [] : [`    Synopsis: ${terminalText(synopsis)}`]),
    ...(fallback === undefined ? [] : [`    Default: ${fallback === null ? "NULL" : terminalText(formatValue(fallback, type))}`]),
    ...(valid === undefined ? [] : [`    Valid: ${valid.map((value) => terminalText(formatValue(value, type))).join(", ")}`]),
  ];
}

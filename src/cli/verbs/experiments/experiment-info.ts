import {
  commitJson,
  asciiExport,
  maxSummarySets,
  parameterSetsJson,
  parameterSetsTable,
  renderFigure,
} from "../../print/index.ts";
import {
  infoExperiment,
  type InfoOptions,
  type ExperimentInfo,
  type RunValues,
  type ValueRange,
} from "../../../commands/experiments/index.ts";
import { abbreviate } from "../../../core/versions/index.ts";
import { Failure } from "../../../core/failures/index.ts";
import type { Experiment } from "../../../core/experiments/index.ts";
import { type Block, jsonRow, jsonValue, answerFigure } from "../../../core/figures/index.ts";
import type { Table } from "../../../core/tables/index.ts";
import { counted, terminalLines, terminalText } from "../../../core/text/index.ts";
import { formatTimestamp, formatUnit, formatValue, type Values } from "../../../core/values/index.ts";
import { findVariable, type Variable } from "../../../core/variables/index.ts";
import type { Arguments } from "../../arguments.ts";
import type { Output } from "../../output.ts";
import type { Session } from "../../session.ts";
import type { Verb } from "../../verb.ts";
import { databaseOf, databaseOption, runNames, namesOf } from "../options.ts";

const dataKinds = ["all", "once", "multiple"] as const;

export const experimentInfo: Verb = {
  name: "info",
  summary: "describe an experiment and its runs",
  details: [
    "--range, --counts and --sets cover active runs; with --run the selected ones, with --deleted all.",
    "",
    "Example: perfkeep experiment info b_eff_io --range S_chunk,B_write --counts op,S_chunk",
  ].join("\n"),
  operands: [{ name: "<experiment>", synopsis: "name of the experiment" }],
  options: [
    { flags: "--deleted", synopsis: "include deleted runs" },
    { flags: "--value <pattern>", synopsis: "only variables with names that match this pattern" },
    { flags: "-r, --run <names>", synopsis: "only these runs, by number or label, comma-separated", repeat: true },
    { flags: "--data <kind>", synopsis: "with --run: print its values", choices: dataKinds },
    { flags: "-p, --pset <name>", synopsis: "print the values of this parameter set" },
    {
      flags: "--range <names>",
      synopsis: "print only minimum and maximum of these variables, comma-separated",
      repeat: true,
    },
    {
      flags: "--counts [names]",
      synopsis: "print only the number of values per set of these parameters (default: all)",
    },
    {
      flags: "--sets [names]",
      synopsis: "print count, mean and spread of numeric results per set of these parameters (default: all)",
    },
    {
      flags: "--summary",
      synopsis: "also print ranges of all variables, and count, mean and spread per parameter set",
    },
    { flags: "-d, --description", synopsis: "print the description, as accepted by create" },
    databaseOption,
  ],
  formats: ["json"],
  run: info,
};

async function info(session: Session, args: Arguments): Promise<number> {
  const details = await infoExperiment(session.workspace, optionsOf(args));
  const { output } = session;
  if (session.format === "json") output.document("perfkeep.experiment/2", infoJson(details));
  else if (args.flag("description")) output.data(output.toTerminal ? terminalLines(details.text) : details.text);
  else {
    output.data(await infoText(session, details, args.flag("summary")));
    for (const values of details.data ?? []) printValues(output, details.experiment, values);
  }
  return 0;
}

function optionsOf(args: Arguments): InfoOptions {
  const [variables, parameterSet, runs] = [args.text("value"), args.text("pset"), runNames(args)];
  const data = dataKinds.find((kind) => kind === args.text("data"));
  if (data !== undefined && runs.length === 0)
    throw new Failure("unusable-combination", {
      what: "--data without --run",
      instead: "give --run, or use perfkeep export for all runs",
    });
  const ranges = namesOf(args, "range");
  const counted = args.flag("counts") || args.text("counts") !== undefined;
  return {
    experiment: args.operand(0),
    deleted: args.flag("deleted"),
    ...(variables === undefined ? {} : { variables }),
    ...(parameterSet === undefined ? {} : { parameterSet }),
    ...(runs.length === 0 ? {} : { runs }),
    ...(data === undefined ? {} : { data }),
    ...(ranges.length === 0 ? {} : { ranges }),
    ...(counted ? { countsBy: namesOf(args, "counts") } : {}),
    ...(args.flag("sets") || args.text("sets") !== undefined ? { setsBy: namesOf(args, "sets") } : {}),
    ...(args.flag("summary") ? { summary: true } : {}),
    ...databaseOf(args),
  };
}

/** Prints the values of one run like an export to ascii. */
function printValues(output: Output, experiment: Experiment, { run, once, multiple }: RunValues): void {
  const own = ({ variables }: Table): Table["variables"] => variables.slice(1);
  const head = {
    experiment,
    once: once === undefined ? [] : own(once),
    rows: multiple === undefined ? [] : own(multiple),
  };
  const sink = asciiExport(output, head);
  output.data("\n");
  sink.open(once ?? numberOnly(run), 0);
  if (multiple !== undefined) sink.rows(multiple, 0, multiple.length);
  sink.close();
  sink.end();
}

function numberOnly(run: number): Table {
  return {
    variables: [{ name: "run", role: "parameter", occurrence: "once", type: "integer" }],
    columns: [{ kind: "number", values: Float64Array.of(run), missing: null, exact: null }],
    length: 1,
  };
}

/** The document `perfkeep.experiment/2`. */
function infoJson(details: ExperimentInfo): object {
  const {
    experiment: about,
    runs,
    attachments,
    parameterSets,
    setValues: values,
    allVariables,
    data,
    ranges,
    counts,
    sets,
  } = details;
  return {
    experiment: {
      ...about,
      variables: about.variables.map((variable) => ({ ...variable, unit: formatUnit(variable.unit) })),
    },
    runs: runs.map((run) => ({
      ...commitJson(run),
      created: formatTimestamp(run.created),
      performed: formatTimestamp(run.performed),
      sources: run.sources.map(({ modified, ...source }) => ({
        ...source,
        ...(modified === undefined ? {} : { modified: formatTimestamp(modified) }),
      })),
    })),
    attachments: attachments.map(({ name, kind }) => ({ name, kind })),
    parameterSets,
    ...(values === undefined ? {} : { values: setJson(values, allVariables) }),
    ...(data === undefined ? {} : { data: data.map(valuesJson) }),
    ...(ranges === undefined ? {} : { ranges: ranges.map(rangeJson) }),
    ...(counts === undefined ? {} : { counts: tableJson(counts, 0) }),
    ...(sets === undefined ? {} : { sets: parameterSetsJson(sets) }),
  };
}

function setJson(values: Values, variables: readonly Variable[]): object {
  const text = (name: string, value: Parameters<typeof formatValue>[0]): string | null =>
    value === null ? null : formatValue(value, findVariable(variables, name)?.type ?? "text");
  return Object.fromEntries([...values].map(([name, value]) => [name, text(name, value)]));
}

function valuesJson({ run, once, multiple }: RunValues): object {
  return {
    run,
    ...(once === undefined ? {} : { once: named(once) }),
    ...(multiple === undefined ? {} : { multiple: tableJson(multiple, 1) }),
  };
}

/** Its only row as an object, without the run number. */
function named(table: Table): object {
  const cells = table.length === 0 ? [] : jsonRow(table, 0);
  return Object.fromEntries(table.variables.slice(1).map(({ name }, at) => [name, cells[at + 1] ?? null]));
}

/** Columns from index `first`. */
function tableJson(table: Table, first: number): object {
  return {
    columns: table.variables.slice(first).map(({ name, type, unit }) => ({ name, type, unit: formatUnit(unit) })),
    rows: Array.from({ length: table.length }, (_, row) => jsonRow(table, row).slice(first)),
  };
}

function rangeJson({ variable, values: valueCount, missing, distinct, least, greatest }: ValueRange): object {
  const { name, type, unit } = variable;
  const [min, max] = [jsonValue(least, variable), jsonValue(greatest, variable)];
  return { name, type, unit: formatUnit(unit), min, max, valueCount, distinct, missing };
}

/** An experiment as text: general facts, variables, runs and attachments; only ranges and counts if requested. */
async function infoText(session: Session, details: ExperimentInfo, isSummary: boolean): Promise<string> {
  const { ranges, counts, sets } = details;
  const requested = [
    ...(ranges ? [rangesTable(ranges)] : []),
    ...(counts ? answerFigure(counts, "people").blocks : []),
    ...(sets ? [parameterSetsTable(sets, isSummary ? maxSummarySets : Number.POSITIVE_INFINITY)] : []),
  ];
  if (requested.length > 0 && !isSummary) return tablesText(session, requested);
  const runs = details.runs.length > 0 ? [runsTable(details), ...requested] : [];
  const tables = await tablesText(session, [variablesTable(details), ...runs]);
  const hidden = (sets?.sets.length ?? 0) - maxSummarySets;
  if (hidden > 0 && details.runs.length > 0)
    session.output.note(`${counted(hidden, "more parameter set")}: --sets prints all`);
  return [
    aboutText(details),
    tables,
    details.runs.length === 0 ? "\nno runs yet\n" : "",
    attachmentsText(details),
  ].join("");
}

async function tablesText(session: Session, blocks: readonly Block[]): Promise<string> {
  return String(await renderFigure(session, { title: "", blocks }, "text"));
}

function aboutText({ experiment: about }: ExperimentInfo): string {
  const title = about.synopsis === undefined ? about.name : `${about.name}: ${about.synopsis}`;
  const text = about.description === undefined ? "" : `${terminalLines(about.description).trimEnd()}\n`;
  const fact = (label: string, value: string): string => (value === "" ? "" : `${label}: ${terminalText(value)}\n`);
  const by = [about.performedBy, about.organization].filter((each) => each !== undefined).join(", ");
  const facts = [fact("performed by", by), fact("project", about.project ?? "")];
  return `${terminalText(title)}\n${text}${facts.join("")}\n`;
}

function left(labels: readonly string[]): { label: string; align: "left" }[] {
  return labels.map((label) => ({ label, align: "left" }));
}

function variablesTable({ experiment }: ExperimentInfo): Block {
  const rows = experiment.variables.map((one) => [
    one.role,
    one.name,
    one.type,
    formatUnit(one.unit),
    one.occurrence,
    one.synopsis ?? "",
  ]);
  return { kind: "table", head: left(["", "name", "type", "unit", "occurrence", "synopsis"]), rows };
}

function runsTable({ runs }: ExperimentInfo): Block {
  const hasSynopsis = runs.some(({ synopsis }) => synopsis !== undefined);
  const rows = runs.map((run) => [
    String(run.number),
    run.version === undefined ? "" : abbreviate(run.version) + (run.dirty ? "+" : ""),
    formatTimestamp(run.performed),
    String(run.rows),
    run.active ? "" : "deleted",
    run.label ?? "",
    ...(hasSynopsis ? [run.synopsis ?? ""] : []),
    run.sources.map((source) => source.path).join(", "),
  ]);
  const texts = hasSynopsis ? ["label", "synopsis"] : ["label"];
  return { kind: "table", head: left(["run", "commit", "performed", "rows", "state", ...texts, "files"]), rows };
}

function rangesTable(ranges: readonly ValueRange[]): Block {
  const rows = ranges.map(({ variable, values: valueCount, missing, distinct, least, greatest }) => {
    const [min, max] = [least, greatest].map((value) => formatValue(value, variable.type));
    return [
      variable.name,
      formatUnit(variable.unit),
      min ?? "",
      max ?? "",
      ...[distinct, valueCount, missing].map(String),
    ];
  });
  const numbers = ["distinct", "values", "missing"].map((label) => ({ label, align: "right" as const }));
  return { kind: "table", head: [...left(["variable", "unit", "min", "max"]), ...numbers], rows };
}

/** Names of attachments and parameter sets, and the values of the requested set. */
function attachmentsText({ allVariables, attachments, parameterSets, setValues }: ExperimentInfo): string {
  const line = (title: string, names: readonly string[]): string =>
    names.length === 0 ? "" : `\n${title}: ${names.join(", ")}\n`;
  const names = attachments.map(({ name, kind }) => terminalText(`${name} (${kind})`));
  const cells = [...(setValues ?? [])].map(([name, value]) => {
    const type = findVariable(allVariables, name)?.type ?? "text";
    return terminalText(`  ${name} = ${formatValue(value, type)}`);
  });
  const sets = line("parameter sets", parameterSets.map(terminalText));
  return `${line("attachments", names)}${sets}${cells.map((cell) => `${cell}\n`).join("")}`;
}

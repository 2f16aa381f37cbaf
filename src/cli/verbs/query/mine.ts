import {
  jobFile,
  mine as search,
  mineFigure,
  runOrders,
  type MineAnswer,
  type MineOptions,
} from "../../../commands/query/index.ts";
import { Failure, exitStatus } from "../../../core/failures/index.ts";
import { jsonValue } from "../../../core/figures/index.ts";
import { formatUnit, type Values } from "../../../core/values/index.ts";
import type { Variable } from "../../../core/variables/index.ts";
import type { Arguments } from "../../arguments.ts";
import { renderFigure } from "../../print/index.ts";
import type { Session } from "../../session.ts";
import type { Verb } from "../../verb.ts";
import { databaseOf, databaseOption, queryOptions, runNames, namesOf } from "../options.ts";

const selectionOptions = queryOptions.filter(({ flags }) => /--(where|commit|run)\b/.test(flags));

/** Default of --limit in text. */
const defaultLimit = 20;

export const mine: Verb = {
  name: "mine",
  summary: "find missing, noisy, shifted and outlying values in an experiment",
  details: [
    "Values are grouped by parameter set. Reports sets with too few values or a large spread, level shifts and drifts",
    "from run to run, and outliers; each with its evidence, corrected for multiple testing (docs/mining.md).",
    "",
    "-o FILE with the extension .svg, .png or .html writes a picture of shifts and spreads.",
    "",
    "Example: perfkeep mine b_eff_io B_write --by S_chunk,op --least 5 --job 'bench -s {S_chunk} {op}' --jobs next.yml",
    "         perfkeep run job --from next.yml",
    "",
    "Exit status: 0; with --fail 1 if something was found and 3 if there was too little data.",
  ].join("\n"),
  operands: [
    { name: "<experiment>", synopsis: "name of the experiment" },
    { name: "[results...]", synopsis: "results to examine (default: all numeric ones)" },
  ],
  options: [
    {
      flags: "-b, --by <names>",
      synopsis: "parameters that define a set, comma-separated (default: all that vary, except sample)",
      repeat: true,
    },
    ...selectionOptions,
    { flags: "--least <count>", synopsis: "required values per set (default: the most common number)" },
    {
      flags: "--max-spread <percent>",
      also: ["--most-spread"],
      synopsis: "maximum acceptable spread per group",
      default: "5%",
    },
    { flags: "--level <share>", synopsis: "false-discovery rate of the findings", default: "0.05" },
    {
      flags: "--order <what>",
      synopsis: "order of runs (default: history if all runs have a commit)",
      choices: runOrders,
    },
    { flags: "--job <command>", synopsis: "command that measures a set, with parameter names in braces" },
    {
      flags: "--jobs <file>",
      synopsis: "write missing measurements to this file (.yml or .json) for perfkeep run job --from",
    },
    {
      flags: "--limit <count>",
      synopsis: `maximum number of findings per kind (default: ${defaultLimit}, json: all)`,
    },
    { flags: "--fail", synopsis: "exit with status 1 if something was found" },
    databaseOption,
  ],
  formats: ["json", "markdown", "html", "svg", "png"],
  async run(session, args) {
    const file = args.text("jobs");
    if (file !== undefined && args.text("job") === undefined)
      throw new Failure("unusable-combination", {
        what: "--jobs without a command",
        instead: "add --job 'bench -s {S_chunk}'",
      });
    const answer = await search(session.workspace, optionsOf(args));
    await print(session, answer, args.count("limit", 1));
    for (const note of answer.notes) session.output.note(note);
    if (file !== undefined) saveJobs(session, answer, file);
    return args.flag("fail") ? statusOf(answer) : exitStatus.fine;
  },
};

function optionsOf(args: Arguments): MineOptions {
  const [commits, runs, by] = [args.texts("commit"), runNames(args), namesOf(args, "by")];
  const [least, job] = [args.count("least", 1), args.text("job")];
  const order = runOrders.find((each) => each === args.text("order"));
  return {
    experiment: args.operand(0),
    results: args.rest(1).flatMap((name) => name.split(",")),
    where: args.texts("where"),
    level: share("--level", args.text("level") ?? "", 0.5),
    maxSpread: share("--max-spread", args.text("maxSpread") ?? "", Infinity),
    ...(args.texts("by").length === 0 ? {} : { by }),
    ...(commits.length === 0 ? {} : { commits }),
    ...(runs.length === 0 ? {} : { runs }),
    ...(least === undefined ? {} : { least }),
    ...(order === undefined ? {} : { order }),
    ...(job === undefined ? {} : { job }),
    ...databaseOf(args),
  };
}

/** Parses a share above 0 and below `end`, such as `5%` or `0.05`. */
function share(option: string, text: string, end: number): number {
  const match = /^(\d{1,15}(?:\.\d{0,15})?|\.\d{1,15})\s*(%?)$/.exec(text);
  const value = Number(match?.[1] ?? Number.NaN) / (match?.[2] === "%" ? 100 : 1);
  if (value > 0 && value < end) return value;
  throw new Failure("bad-option", { option, value: text, expected: "a share such as 5% or 0.05" });
}

async function print(session: Session, answer: MineAnswer, limit: number | undefined): Promise<void> {
  const { format, output } = session;
  if (format === "json") return printMineJson(session, answer, limit ?? Infinity);
  const as = format === "svg" || format === "png" ? "charts" : format === "html" ? "both" : "tables";
  output.data(await renderFigure(session, mineFigure(answer, as, limit ?? defaultLimit), format));
}

function saveJobs(session: Session, { jobs = [] }: MineAnswer, file: string): void {
  if (jobs.length === 0) return session.output.note(`nothing is missing: ${file} was not written`);
  session.output.save(
    session.workspace.files.resolve(file),
    jobFile(jobs, file.toLowerCase().endsWith(".json") ? "json" : "yaml"),
  );
}

function statusOf({ tables }: MineAnswer): number {
  if (tables.some(({ findings, coverage }) => findings.length > 0 || coverage.gaps.length > 0)) return exitStatus.found;
  const tested = tables.reduce(
    (sum, { histories, spreads, outliers }) => sum + histories.tested + spreads.tested + outliers.tested,
    0,
  );
  return tested === 0 ? exitStatus.inconclusive : exitStatus.fine;
}

type Part = MineAnswer["tables"][number];
type Finding = Part["findings"][number];

/** At most `most` findings of each kind. */
function printMineJson({ output }: Session, answer: MineAnswer, most: number): void {
  const { experiment, level, maxSpread, order, tables, notes, jobs } = answer;
  output.document("perfkeep.mine/2", {
    experiment,
    level,
    maxSpread,
    order,
    notes,
    tables: tables.map((part) => jsonPart(part, most)),
    ...(jobs === undefined ? {} : { jobs: jobs.slice(0, most) }),
  });
}

function jsonPart(part: Part, most: number): object {
  const { results, parameters, coverage, findings, sets, values, nonFinite, runs, histories, spreads, outliers } = part;
  const kinds = [["jump", "drift"], ["spread"], ["outlier"]];
  const shown = kinds.flatMap((kind) => findings.filter((finding) => kind.includes(finding.kind)).slice(0, most));
  return {
    results: results.map(jsonVariable),
    parameters: parameters.map(jsonVariable),
    runs,
    sets,
    values,
    nonFinite,
    coverage: {
      ...coverage,
      gaps: coverage.gaps
        .slice(0, most)
        .map(({ set, values: there, missing }) => ({ set: jsonSet(set, parameters), values: there, missing })),
    },
    examined: { histories, spreads, outliers },
    findings: shown.map((finding) => jsonFinding(finding, parameters)),
  };
}

function jsonVariable({ name, type, unit, better }: Variable): object {
  return { name, type, unit: formatUnit(unit), ...(better === undefined ? {} : { better }) };
}

function jsonSet(set: Values, parameters: readonly Variable[]): object {
  const types = new Map(parameters.map((variable) => [variable.name, variable]));
  return Object.fromEntries(
    [...set].map(([name, value]) => [name, jsonValue(value, types.get(name) ?? { type: "string" })]),
  );
}

/** Infinite values become null: the interval of a sample that is too small, the share of a level of 0. */
function jsonFinding({ set, ...finding }: Finding, parameters: readonly Variable[]): object {
  const { kind, result, ...rest } = finding;
  return { kind, result, set: jsonSet(set, parameters), ...rest };
}

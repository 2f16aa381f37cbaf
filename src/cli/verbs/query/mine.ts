import {
  jobFile,
  mine as search,
  mineFigure,
  runOrders,
  type MineAnswer,
  type MineOptions,
} from "../../../commands/query/mine.ts";
import { Failure } from "../../../core/failures/failure.ts";
import { exitStatus } from "../../../core/failures/kind.ts";
import { jsonValue } from "../../../core/figures/table-figure.ts";
import { terminalText } from "../../../core/text/terminal-text.ts";
import { formatUnit } from "../../../core/values/unit.ts";
import type { Values } from "../../../core/values/value.ts";
import type { Variable } from "../../../core/variables/variable.ts";
import type { Arguments } from "../../arguments.ts";
import { renderFigure } from "../../print/figure.ts";
import type { Session } from "../../session.ts";
import type { Verb } from "../../verb.ts";
import { databaseOf, databaseOption, questionOptions, runNumbers, words } from "../options.ts";

const kept = questionOptions.filter(({ flags }) => /--(where|commit|run)\b/.test(flags));

/** Findings of a kind that people are shown without --limit. */
const shownToPeople = 20;

export const mine: Verb = {
  name: "mine",
  summary: "find missing, noisy, shifted and outlying values in an experiment",
  details: [
    "Values of one parameter set belong together. Told are sets with too few values, spreads that are too large,",
    "changes of level and drifts from run to run, and single values far off; each with its evidence, corrected for",
    "testing many at once (docs/mining.md).",
    "",
    "A name ending in .svg, .png or .html after -o makes a picture of changes and spreads.",
    "",
    "Example: perfkeep mine b_eff_io B_write --by S_chunk,op --least 5 --job 'bench -s {S_chunk} {op}' --jobs next.yml",
    "         perfkeep run job --from next.yml",
    "",
    "Exit status: 0, or with --fail 1 where something was found and 3 where there was too little data to look at.",
  ].join("\n"),
  operands: [
    { name: "<experiment>", synopsis: "its name" },
    { name: "[results...]", synopsis: "results to look at (default: all that are numbers)" },
  ],
  options: [
    {
      flags: "-b, --by <names>",
      synopsis: "parameters that make a set, joined by commas (default: all that vary but sample)",
      repeat: true,
    },
    ...kept,
    { flags: "--least <count>", synopsis: "values wanted in each set (default: as many as most have)" },
    { flags: "--most-spread <percent>", synopsis: "spread within a set that is fine", default: "5%" },
    { flags: "--level <share>", synopsis: "share of false alarms among the findings", default: "0.05" },
    {
      flags: "--order <what>",
      synopsis: "order of runs (default: history where all have a commit of it)",
      choices: runOrders,
    },
    { flags: "--job <command>", synopsis: "command that measures a set, with names of parameters in braces" },
    {
      flags: "--jobs <file>",
      synopsis: "write the next measurements there (.yml or .json), for perfkeep run job --from",
    },
    {
      flags: "--limit <count>",
      synopsis: `at most so many findings of each kind (default: ${shownToPeople}, json: all)`,
    },
    { flags: "--fail", synopsis: "exit status 1 where something was found" },
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
    for (const note of answer.notes) session.output.note(terminalText(note));
    if (file !== undefined) saveJobs(session, answer, file);
    return args.flag("fail") ? verdictOn(answer) : exitStatus.fine;
  },
};

function optionsOf(args: Arguments): MineOptions {
  const [commits, runs, by] = [args.texts("commit"), runNumbers(args), words(args, "by")];
  const [least, job] = [args.count("least", 1), args.text("job")];
  const order = runOrders.find((each) => each === args.text("order"));
  return {
    experiment: args.operand(0),
    results: args.rest(1).flatMap((name) => name.split(",")),
    where: args.texts("where"),
    level: share("--level", args.text("level") ?? "", 0.5),
    mostSpread: share("--most-spread", args.text("mostSpread") ?? "", Infinity),
    ...(args.texts("by").length === 0 ? {} : { by }),
    ...(commits.length === 0 ? {} : { commits }),
    ...(runs.length === 0 ? {} : { runs }),
    ...(least === undefined ? {} : { least }),
    ...(order === undefined ? {} : { order }),
    ...(job === undefined ? {} : { job }),
    ...databaseOf(args),
  };
}

/** `5%` or `0.05`; more than 0 and below `end`. */
function share(option: string, text: string, end: number): number {
  const found = /^(\d{1,15}(?:\.\d{0,15})?|\.\d{1,15})\s*(%?)$/.exec(text);
  const value = Number(found?.[1] ?? Number.NaN) / (found?.[2] === "%" ? 100 : 1);
  if (value > 0 && value < end) return value;
  throw new Failure("bad-option", { option, value: text, expected: "a share such as 5% or 0.05" });
}

async function print(session: Session, answer: MineAnswer, limit: number | undefined): Promise<void> {
  const { format, output } = session;
  if (format === "json") return printMineJson(session, answer, limit ?? Infinity);
  const as = format === "svg" || format === "png" ? "charts" : format === "html" ? "both" : "tables";
  output.data(await renderFigure(session, mineFigure(answer, as, limit ?? shownToPeople), format));
}

function saveJobs(session: Session, { jobs = [] }: MineAnswer, file: string): void {
  if (jobs.length === 0) return session.output.note(`nothing is lacking: ${terminalText(file)} was not written`);
  session.output.save(
    session.workspace.files.resolve(file),
    jobFile(jobs, file.toLowerCase().endsWith(".json") ? "json" : "yaml"),
  );
}

function verdictOn({ parts }: MineAnswer): number {
  if (parts.some(({ findings, coverage }) => findings.length > 0 || coverage.gaps.length > 0)) return exitStatus.found;
  const looked = parts.reduce(
    (sum, { courses, spreads, outliers }) => sum + courses.tested + spreads.tested + outliers.tested,
    0,
  );
  return looked === 0 ? exitStatus.inconclusive : exitStatus.fine;
}

type Part = MineAnswer["parts"][number];
type Found = Part["findings"][number];

/** All findings, or of each kind `most`. */
function printMineJson({ output }: Session, answer: MineAnswer, most: number): void {
  const { experiment, level, mostSpread, order, parts, notes, jobs } = answer;
  output.document("perfkeep.mine/1", {
    experiment,
    level,
    mostSpread,
    order,
    notes,
    parts: parts.map((part) => jsonPart(part, most)),
    ...(jobs === undefined ? {} : { jobs: jobs.slice(0, most) }),
  });
}

function jsonPart(part: Part, most: number): object {
  const { results, parameters, coverage, findings, sets, values, passedOver, runs, courses, spreads, outliers } = part;
  const kinds = [["jump", "drift"], ["spread"], ["outlier"]];
  const shown = kinds.flatMap((kind) => findings.filter((finding) => kind.includes(finding.kind)).slice(0, most));
  return {
    results: results.map(jsonVariable),
    parameters: parameters.map(jsonVariable),
    runs,
    sets,
    values,
    passedOver,
    coverage: {
      ...coverage,
      gaps: coverage.gaps
        .slice(0, most)
        .map(({ set, values: there, lacking }) => ({ set: jsonSet(set, parameters), values: there, lacking })),
    },
    looked: { courses, spreads, outliers },
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

/** What is no number in JSON is null: the interval of a sample too small to have one, the share of a level of 0. */
function jsonFinding({ set, ...finding }: Found, parameters: readonly Variable[]): object {
  const { kind, result, ...rest } = finding;
  return { kind, result, set: jsonSet(set, parameters), ...rest };
}

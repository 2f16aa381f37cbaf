import {
  explainGraph,
  explainQuestion,
  type PlanStep,
  listViews,
  runSql,
  type SqlInput,
} from "../../../commands/query/sql.ts";
import { freezeGraph, freezeQuestion, replayQuestion } from "../../../commands/query/freeze.ts";
import type { FreezeName } from "../../../commands/query/frozen-query.ts";
import { questionText, query as ask, type QueryResult } from "../../../commands/query/query.ts";
import { runQuery, type QueryGraphOptions } from "../../../commands/query/query-graph.ts";
import { Failure } from "../../../core/failures/failure.ts";
import { terminalText } from "../../../core/text/terminal-text.ts";
import { formatUnit } from "../../../core/values/unit.ts";
import type { Arguments } from "../../arguments.ts";
import { printAnswer, answerFormats } from "../../print/experiments/answer.ts";
import { writeOutputs } from "../../print/experiments/query-outputs.ts";
import type { Session } from "../../session.ts";
import type { Verb } from "../../verb.ts";
import { version } from "../../version.ts";
import { databaseOption, questionOf, questionOptions, versionOptions, versionsOf } from "../options.ts";

export const sql: Verb = {
  name: "sql",
  summary: "query the experiment database in SQL",
  details: [
    "Answers one SELECT in the SQL of the engine, DuckDB or PostgreSQL. The database is opened read-only. Besides the",
    "views experiments, variables, runs and files every experiment is a view of its own: its data sets, with run,",
    "commit, performed, … of the run and all variables by name. Without a statement the views and their columns are",
    "listed.",
    "",
    'Example: perfkeep sql "select \\"commit\\", median(T_pp) from net group by all order by 2"',
  ].join("\n"),
  operands: [{ name: "[statement]", synopsis: "the query; - reads it from standard input" }],
  options: [{ flags: "-f, --file <file>", synopsis: "read the query from this file" }, databaseOption],
  formats: answerFormats,
  async run(session, args) {
    const [statement, file, database] = [args.maybeOperand(0), args.text("file"), args.text("db")];
    if (statement !== undefined && file !== undefined)
      throw new Failure("unusable-combination", { what: "a statement beside --file", instead: "give one of them" });
    const table =
      statement === undefined && file === undefined
        ? await listViews(session.workspace, database)
        : await runSql(session.workspace, statementOf(statement, file), database);
    const columns = table.variables.map(({ name, type }) => ({ name, type }));
    await printAnswer(session, table, { schema: "perfkeep.sql/1", columns }, "perfkeep sql");
    return 0;
  },
};

function statementOf(text: string | undefined, file: string | undefined): SqlInput {
  if (file !== undefined) return { file };
  return text === "-" || text === undefined ? { file: "-" } : { text };
}

export const query: Verb = {
  name: "query",
  summary: "query an experiment",
  details: [
    "Without --stat every data set that fits is a row; with it rows are grouped by the parameters of --by.",
    "Statistics: count, distinct, min, max, sum, mean, median, stddev, variance, and quantiles such as q95.",
    "Conditions: op=write, size>=1KiByte, host~cluster, 'op in read,write', 'version is null', 'version is not null',",
    "and several in one: '(op=write or op=read) and size>=1KiByte'.",
    "",
    "Versions (--by commit) are in the order of history.",
    "",
    "Example: perfkeep query b_eff_io B_write --by S_chunk --stat median,q95 --where op=write",
    "Example: perfkeep query io B_io --by commit --branch main --with-profile time:amount:mean:subtype=real",
    "",
    "With -d or -n a query of perfbase is evaluated: a graph of sources, operators, combiners and outputs. Outputs",
    "that name a file are written there, the others printed.",
    "",
    "Example: perfkeep query -d latency.xml -e net -f f.version=1.24",
    "",
    "--freeze keeps a query with the runs it saw: -n answers it as it was, whatever was imported since, and tells when",
    "such a run was deleted or changed.",
    "",
    "Example: perfkeep query io B_io --by commit --freeze release-2 --synopsis 'what the paper shows'",
    "         perfkeep query -e io -n release-2",
  ].join("\n"),
  operands: [
    { name: "[experiment]", synopsis: "its name" },
    { name: "[results...]", synopsis: "the variables asked for (default: all)" },
  ],
  options: [
    ...questionOptions,
    ...versionOptions,
    { flags: "-d, --description <file>", synopsis: "evaluate the query that this file describes" },
    { flags: "-n, --attached <name>", synopsis: "evaluate the query that the experiment keeps under this name" },
    { flags: "-e, --experiment <name>", synopsis: "the experiment that a query is about (default: the one it names)" },
    { flags: "-f, --fixed <id=content>", synopsis: "the content of a fixed element of the query", repeat: true },
    {
      flags: "--print <spelling>",
      synopsis: "print the question as a query that can be kept, and do not ask it",
      choices: ["text", "xml"],
    },
    {
      flags: "--explain",
      synopsis: "print what the database is asked and what is done outside of it, and do not ask it",
    },
    { flags: "--no-cache", synopsis: "evaluate a described query although the answer is known from before" },
    {
      flags: "--freeze <name>",
      synopsis: "keep the query under this name with the runs it saw, to be answered again with -n",
    },
    { flags: "--synopsis <text>", synopsis: "what the frozen query is about" },
    {
      flags: "--compat <program>",
      synopsis: "a query's numbers as that program has them also where they rest on a defect",
      choices: ["perfbase"],
    },
    databaseOption,
  ],
  formats: ["json", "ndjson", "csv", "markdown", "table", "html"],
  figures: true,
  async run(session, args) {
    if (args.text("description") !== undefined || args.text("attached") !== undefined) return evaluate(session, args);
    if (args.maybeOperand(0) === undefined) throw new Failure("no-query");
    const alone = ["fixed", "experiment", "compat"].find((name) => args.texts(name).length > 0);
    if (alone !== undefined) throw needsDescription(`--${alone}`);
    // People tell versions apart by a few digits, programs by all.
    const labels = session.format === "text" ? { commitLabels: "short" as const } : {};
    const options = { ...questionOf(args), ...versionsOf(args) };
    const spelling = args.text("print");
    if (spelling !== undefined)
      return printed(
        session,
        await questionText(session.workspace, options, spelling === "xml" ? "xml" : "text"),
        "--print",
      );
    if (args.flag("explain"))
      return printed(session, planText(await explainQuestion(session.workspace, options)), "--explain");
    const as = freezeNameOf(args);
    const result = as
      ? await freezeQuestion(session.workspace, options, as)
      : await ask(session.workspace, { ...labels, ...options });
    return printResult(session, result);
  },
};

/** What asks nothing has no rows: `why` is told where they were wanted in another form. */
function printed(session: Session, text: string, why: string): number {
  if (session.format !== "text")
    throw new Failure("unusable-combination", { what: `${why} for ${session.format}`, instead: "leave --format out" });
  session.output.data(text);
  return 0;
}

async function printResult(session: Session, result: QueryResult): Promise<number> {
  for (const note of result.notes) session.output.note(terminalText(note));
  const { experiment, table } = result;
  const title = `${experiment}: ${table.variables.map(({ name }) => name).join(", ")}`;
  await printAnswer(session, table, { schema: "perfkeep.query/1", experiment, columns: columnsOf(result) }, title);
  return 0;
}

function freezeNameOf(args: Arguments): FreezeName | undefined {
  const [name, synopsis] = [args.text("freeze"), args.text("synopsis")];
  if (name !== undefined) return { name, ...(synopsis === undefined ? {} : { synopsis }) };
  if (synopsis === undefined) return undefined;
  throw new Failure("unusable-combination", { what: "--synopsis without --freeze", instead: "give --freeze NAME" });
}

async function evaluate(session: Session, args: Arguments): Promise<number> {
  const lists = [
    "by",
    "where",
    "stat",
    "commit",
    "run",
    "sort",
    "branch",
    "since",
    "until",
    "commitLabels",
    "withProfile",
  ].filter((name) => args.texts(name).length > 0);
  const other = lists[0] ?? (args.text("limit") === undefined ? undefined : "limit");
  if (other !== undefined || args.maybeOperand(0) !== undefined) throw needsEveryday(other);
  if (args.text("print") !== undefined) throw needsEveryday("print");
  if (args.flag("explain"))
    return printed(session, planText(await explainGraph(session.workspace, graphOptionsOf(args))), "--explain");
  const frozen = await frozenAnswer(session, args);
  if (frozen) return printResult(session, frozen);
  if (session.format !== "text") throw needsEveryday(other);
  const as = freezeNameOf(args);
  const options = graphOptionsOf(args);
  await writeOutputs(
    session,
    await (as ? freezeGraph(session.workspace, options, as) : runQuery(session.workspace, options)),
  );
  return 0;
}

/** undefined: what is meant is no question that was frozen. */
async function frozenAnswer(session: Session, args: Arguments): Promise<QueryResult | undefined> {
  const [name, experiment, database] = [args.text("attached"), args.text("experiment"), args.text("db")];
  if (name === undefined || experiment === undefined || args.text("freeze") !== undefined) return undefined;
  const place = { experiment, name, ...(database === undefined ? {} : { database }) };
  return replayQuestion(session.workspace, place, session.format === "text");
}

function graphOptionsOf(args: Arguments): QueryGraphOptions {
  const [path, attached = ""] = [args.text("description"), args.text("attached")];
  const [experiment, database] = [args.text("experiment"), args.text("db")];
  return {
    description: path === undefined ? { attached } : { path },
    fixed: new Map(args.texts("fixed").map(pairOf)),
    ...(experiment === undefined ? {} : { experiment }),
    ...(database === undefined ? {} : { database }),
    ...(args.text("compat") === "perfbase" ? { compat: "perfbase" } : {}),
    ...(args.flag("cache") ? { program: version } : {}),
  };
}

function pairOf(text: string): [string, string] {
  const at = text.indexOf("=");
  if (at < 1) throw new Failure("bad-option", { option: "--fixed", value: text, expected: "ID=CONTENT" });
  return [text.slice(0, at), text.slice(at + 1)];
}

function needsDescription(option: string): Failure {
  return new Failure("unusable-combination", {
    what: `${option} without the description of a query`,
    instead: "give --description FILE",
  });
}

function needsEveryday(option: string | undefined): Failure {
  const what = `${option === undefined ? "words or a format" : `--${option}`} beside the description of a query`;
  return new Failure("unusable-combination", {
    what,
    instead: "name the experiment with -e and say the rest in the description",
  });
}

function columnsOf({ table, outputs }: QueryResult): object[] {
  return table.variables.map(({ name, type, unit }, i) => ({
    name,
    type,
    unit: formatUnit(unit),
    of: outputs[i]?.source?.name ?? null,
  }));
}

/**
 * The steps of a plan in their order: statements with the contents bound to them below, and what is evaluated outside
 * of the database.
 */
function planText(steps: readonly PlanStep[]): string {
  return steps
    .map((step) => ("outside" in step ? `${step.outside}: outside of the database\n` : statementText(step)))
    .join("");
}

type StatementStep = Exclude<PlanStep, { readonly outside: string }>;

function statementText({ elements, statement }: StatementStep): string {
  const bound = statement.params.map(
    (content, at) => `  $${at + 1} = ${typeof content === "bigint" ? content : JSON.stringify(content)}\n`,
  );
  return `${elements.join(" > ")}: one statement${wayOf(statement)}\n  ${statement.sql}\n${bound.join("")}`;
}

function wayOf({ parts }: StatementStep["statement"]): string {
  if (parts === undefined) return "";
  if (parts.passes === 0) return `, for which rows come from ${parts.count} parts`;
  return `, summed up in ${parts.count} parts that are combined${parts.passes === 1 ? "" : `, in ${parts.passes} passes`}`;
}

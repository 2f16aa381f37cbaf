import {
  type SqlInput,
  type FreezeName,
  query as ask,
  sourceOf,
  type QueryResult,
  type QueryGraphOptions,
} from "../../../commands/query/index.ts";
import { Failure } from "../../../core/failures/index.ts";
import { formatUnit } from "../../../core/values/index.ts";
import type { Arguments } from "../../arguments.ts";
import { planText, printRows, rowFormats } from "../../print/index.ts";
import type { Session } from "../../session.ts";
import type { Verb } from "../../verb.ts";
import { version } from "../../version.ts";
import {
  databaseOption,
  queryOptionsOf,
  queryOptions,
  spreadsheetOption,
  useSpreadsheetOption,
  versionOptions,
  versionOptionsOf,
} from "../options.ts";
import { joinOptions, joinOptionsOf } from "./join-options.ts";

// Most queries need none of these.
const loadSql = () => import("../../../commands/query/sql.ts");
const loadFreeze = () => import("../../../commands/query/freeze.ts");

export const sql: Verb = {
  name: "sql",
  summary: "query the experiment database in SQL",
  details: [
    "Runs one SELECT in the SQL dialect of the engine (DuckDB or PostgreSQL), read-only. In addition to the views",
    "experiments, variables, runs and files, each experiment is a view of its rows, with run, commit, performed, … and",
    "all variables by name. Without a statement, lists the views and their columns.",
    "",
    'Example: perfkeep sql "select \\"commit\\", median(T_pp) from net group by all order by 2"',
  ].join("\n"),
  operands: [{ name: "[statement]", synopsis: "SQL query; - reads it from standard input" }],
  options: [{ flags: "-f, --file <file>", synopsis: "read the query from a file" }, spreadsheetOption, databaseOption],
  formats: rowFormats,
  async run(session, args) {
    const [statement, file, database] = [args.optionalOperand(0), args.text("file"), args.text("db")];
    if (statement !== undefined && file !== undefined)
      throw new Failure("unusable-combination", { what: "a statement with --file", instead: "give one of them" });
    useSpreadsheetOption(session, args);
    const { listViews, runSql } = await loadSql();
    const table =
      statement === undefined && file === undefined
        ? await listViews(session.workspace, database)
        : await runSql(session.workspace, statementOf(statement, file), database);
    const columns = table.variables.map(({ name, type }) => ({ name, type }));
    await printRows(session, table, { schema: "perfkeep.sql/1", columns }, "perfkeep sql");
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
    "Without --stat, prints matching rows; with it, one row per group of the parameters of --by.",
    "Statistics: count, distinct, min, max, sum, mean, median, mode, geomean, stddev, variance, mad, q95 (or p95, or",
    "quantile=0.95), trim10 (the mean without 10 % of the values at each end).",
    "Conditions: op=write, size>=1KiByte, host~PATTERN, 'op contains TEXT', 'op in read,write', 'version is null', and",
    "combinations: '(op=write or op=read) and size>=1KiByte'.",
    "",
    "Commits (--by commit) are in order of history.",
    "",
    "Example: perfkeep query b_eff_io B_write --by S_chunk --stat median,q95 --where op=write",
    "Example: perfkeep query io B_io --by commit --branch main --with-profile time:amount:mean:subtype=real",
    "Example: perfkeep query net latency bandwidth --join io --on size,np=procs --by size --stat mean",
    "",
    "-d or -n evaluates a query of perfbase: a graph of sources, operators, combiners and outputs. Outputs with a file",
    "name are written, others printed.",
    "",
    "Example: perfkeep query -d latency.xml -e net -f f.version=1.24",
    "",
    "--freeze stores a query with the runs that it used: -n answers it unchanged after further imports, and reports",
    "deleted or changed runs.",
    "",
    "Example: perfkeep query io B_io --by commit --freeze release-2 --synopsis 'figure 3 of the paper'",
    "         perfkeep query -e io -n release-2",
  ].join("\n"),
  operands: [
    { name: "[experiment]", synopsis: "name of the experiment" },
    { name: "[results...]", synopsis: "variables to print (default: all)" },
  ],
  options: [
    ...queryOptions,
    ...joinOptions,
    ...versionOptions,
    { flags: "-d, --description <file>", synopsis: "evaluate the query in this file" },
    { flags: "-n, --attached <name>", synopsis: "evaluate the query attached to the experiment under this name" },
    { flags: "-e, --experiment <name>", synopsis: "experiment of a described query (default: the one it names)" },
    { flags: "-f, --fixed <id=value>", synopsis: "set a fixed element of the query", repeat: true, advanced: true },
    {
      flags: "--print <syntax>",
      synopsis: "print the query as a description without running it",
      choices: ["text", "xml"],
      advanced: true,
    },
    {
      flags: "--explain",
      synopsis: "show the query plan without running it",
    },
    { flags: "--no-cache", synopsis: "evaluate a described query again, ignoring cached answers", advanced: true },
    {
      flags: "--freeze <name>",
      synopsis: "store the query with the runs that it uses, to be answered again with -n",
    },
    { flags: "--synopsis <text>", synopsis: "synopsis of the frozen query", advanced: true },
    {
      flags: "--compat <program>",
      synopsis: "compute numbers as that program does, including its defects",
      choices: ["perfbase"],
      advanced: true,
    },
    { ...spreadsheetOption, advanced: true },
    databaseOption,
  ],
  formats: ["json", "ndjson", "csv", "markdown", "table", "html"],
  figures: true,
  async run(session, args) {
    useSpreadsheetOption(session, args);
    if (args.text("description") !== undefined || args.text("attached") !== undefined) return evaluate(session, args);
    if (args.optionalOperand(0) === undefined) throw new Failure("no-query");
    const alone = ["fixed", "experiment", "compat"].find((name) => args.texts(name).length > 0);
    if (alone !== undefined) throw needsDescription(`--${alone}`);
    // Text shows abbreviated ids, data formats complete ones.
    const labels = session.format === "text" ? { commitLabels: "short" as const } : {};
    const options = { ...queryOptionsOf(args), ...joinOptionsOf(args), ...versionOptionsOf(args) };
    const spelling = args.text("print");
    if (spelling !== undefined) {
      const { queryText } = await import("../../../commands/query/sql.ts");
      const text = await queryText(session.workspace, options, spelling === "xml" ? "xml" : "text");
      return printText(session, text, "--print");
    }
    if (args.flag("explain"))
      return printText(
        session,
        planText(await (await loadSql()).explainQuery(session.workspace, options)),
        "--explain",
      );
    const as = freezeNameOf(args);
    const result = as
      ? await (await loadFreeze()).freezeQuery(session.workspace, options, as)
      : await ask(session.workspace, { ...labels, ...options });
    return printResult(session, result);
  },
};

/** Prints text instead of rows. Fails with `unusable-combination` for other formats; `option` is the reason. */
function printText(session: Session, text: string, option: string): number {
  if (session.format !== "text")
    throw new Failure("unusable-combination", { what: `${option} for ${session.format}`, instead: "remove --format" });
  session.output.data(text);
  return 0;
}

async function printResult(session: Session, result: QueryResult): Promise<number> {
  for (const note of result.notes) session.output.note(note);
  const { experiment, table } = result;
  const head = {
    schema: "perfkeep.query/1",
    experiment,
    ...(result.join === undefined ? {} : { join: joinJson(result.join) }),
    columns: columnsOf(result),
  };
  const title = `${experiment}: ${table.variables.map(({ name }) => name).join(", ")}`;
  await printRows(session, table, head, title);
  return 0;
}

function joinJson({ notes: _, on, ...report }: NonNullable<QueryResult["join"]>): object {
  return { ...report, on: on.map(([left, right]) => ({ left, right })) };
}

function freezeNameOf(args: Arguments): FreezeName | undefined {
  const [name, synopsis] = [args.text("freeze"), args.text("synopsis")];
  if (name !== undefined) return { name, ...(synopsis === undefined ? {} : { synopsis }) };
  if (synopsis === undefined) return undefined;
  throw new Failure("unusable-combination", { what: "--synopsis without --freeze", instead: "add --freeze NAME" });
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
    "join",
    "on",
    "joinType",
  ].filter((name) => args.texts(name).length > 0);
  const other = lists[0] ?? (args.text("limit") === undefined ? undefined : "limit");
  if (other !== undefined || args.optionalOperand(0) !== undefined) throw withDescription(other);
  if (args.text("print") !== undefined) throw withDescription("print");
  if (args.flag("explain")) {
    const { explainGraph } = await loadSql();
    return printText(session, planText(await explainGraph(session.workspace, graphOptionsOf(args))), "--explain");
  }
  const frozen = await frozenAnswer(session, args);
  if (frozen) return printResult(session, frozen);
  if (session.format !== "text") throw withDescription(other);
  const as = freezeNameOf(args);
  await writeGraph(session, graphOptionsOf(args), as);
  return 0;
}

async function writeGraph(session: Session, options: QueryGraphOptions, as: FreezeName | undefined): Promise<void> {
  const [{ writeOutputs }, { freezeGraph }, { runQuery }] = await Promise.all([
    import("../../print/experiments/query-outputs.ts"),
    loadFreeze(),
    import("../../../commands/query/query-graph.ts"),
  ]);
  const { workspace } = session;
  await writeOutputs(session, await (as ? freezeGraph(workspace, options, as) : runQuery(workspace, options)));
}

/** The answer of a frozen query; undefined for other queries. */
async function frozenAnswer(session: Session, args: Arguments): Promise<QueryResult | undefined> {
  const [name, experiment, database] = [args.text("attached"), args.text("experiment"), args.text("db")];
  if (name === undefined || experiment === undefined || args.text("freeze") !== undefined) return undefined;
  const location = { experiment, name, ...(database === undefined ? {} : { database }) };
  return (await loadFreeze()).replayQuery(session.workspace, location, session.format === "text");
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
  if (at < 1) throw new Failure("bad-option", { option: "--fixed", value: text, expected: "ID=VALUE" });
  return [text.slice(0, at), text.slice(at + 1)];
}

function needsDescription(option: string): Failure {
  return new Failure("unusable-combination", {
    what: `${option} without a query description`,
    instead: "give --description FILE",
  });
}

function withDescription(option: string | undefined): Failure {
  const what = `${option === undefined ? "operands or a format" : `--${option}`} with a query description`;
  return new Failure("unusable-combination", {
    what,
    instead: "give the experiment by -e and the rest in the description",
  });
}

function columnsOf({ table, outputs }: QueryResult): object[] {
  return table.variables.map(({ name, type, unit }, i) => ({
    name,
    type,
    unit: formatUnit(unit),
    of: sourceOf(outputs[i] ?? {})?.name ?? null,
  }));
}

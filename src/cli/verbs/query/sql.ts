import { listViews, runSql, type Statement } from "../../../commands/query/run-sql.ts";
import { Failure } from "../../../core/failures/failure.ts";
import { answerFormats, printAnswer } from "../../print/experiments/answer.ts";
import type { Verb } from "../../verb.ts";
import { databaseOption } from "../options.ts";

export const sql: Verb = {
  name: "sql",
  summary: "ask the experiment database in SQL",
  details: [
    "Answers one SELECT in the SQL of the engine, DuckDB or PostgreSQL. The database is opened read-only. Besides the views",
    "experiments, variables, runs and files every experiment is a view of its own: its data sets, with run, commit, performed, …",
    "of the run and all variables by name. Without a statement the views and their columns are listed.",
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

function statementOf(text: string | undefined, file: string | undefined): Statement {
  if (file !== undefined) return { file };
  return text === "-" || text === undefined ? { file: "-" } : { text };
}

import { query as ask, type QueryResult } from "../../commands/query.ts";
import { formatUnit } from "../../core/unit.ts";
import { answerFigure, jsonRow } from "../../core/table-figure.ts";
import { renderFigure } from "../print/figure.ts";
import type { Session } from "../session.ts";
import type { Verb } from "../verb.ts";
import { databaseOption, questionOptions, questionOf } from "./options.ts";

const rowsPerPiece = 20_000;

export const query: Verb = {
  name: "query",
  summary: "ask an experiment for its values",
  details: [
    "Without --stat every data set that fits is a row; with it rows are grouped by the parameters of --by.",
    "Statistics: count, min, max, sum, mean, median, stddev, variance, and quantiles such as q95.",
    "Conditions: op=write, size>=1KiByte, host~cluster, 'op in read,write', 'version is null', 'version is not null'.",
    "",
    "Example: perfkeep query b_eff_io B_write --by S_chunk --stat median,q95 --where op=write",
  ].join("\n"),
  operands: [
    { name: "<experiment>", synopsis: "its name" },
    { name: "[results...]", synopsis: "the variables asked for (default: all)" },
  ],
  options: [...questionOptions, databaseOption],
  formats: ["json", "ndjson", "csv", "markdown", "html"],
  async run(session, args) {
    const result = await ask(session.workspace, questionOf(args));
    if (session.format === "json") printJson(session, result);
    else if (session.format === "ndjson") printNdjson(session, result);
    else await printTable(session, result);
    return 0;
  },
};

async function printTable(session: Session, { table }: QueryResult): Promise<void> {
  const { format, output } = session;
  if (format !== "csv")
    return output.data(await renderFigure(session, answerFigure(table, format === "text" ? "people" : "exact"), format));
  for (let from = 0; from < table.length; from += rowsPerPiece) {
    const text = String(
      await renderFigure(session, answerFigure(table, "exact", from, Math.min(from + rowsPerPiece, table.length)), "csv"),
    );
    output.data(from === 0 ? text : text.slice(text.indexOf("\r\n") + 2));
  }
}

function columnsOf({ table, outputs }: QueryResult): object[] {
  return table.variables.map(({ name, type, unit }, i) => ({ name, type, unit: formatUnit(unit), of: outputs[i]?.source?.name ?? null }));
}

function printJson({ output }: Session, result: QueryResult): void {
  const { table, experiment } = result;
  output.data(
    `{"schema":"perfkeep.query/1","experiment":${JSON.stringify(experiment)},"columns":${JSON.stringify(columnsOf(result))},"rows":[`,
  );
  for (let row = 0; row < table.length; row++) output.data(`${row === 0 ? "\n" : ",\n"}${JSON.stringify(jsonRow(table, row))}`);
  output.data("\n]}\n");
}

function printNdjson({ output }: Session, { table }: QueryResult): void {
  const names = table.variables.map((variable) => variable.name);
  for (let row = 0; row < table.length; row++) {
    const values = jsonRow(table, row);
    output.data(`${JSON.stringify(Object.fromEntries(names.map((name, i) => [name, values[i]])))}\n`);
  }
}

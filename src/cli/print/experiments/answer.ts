import { answerFigure, jsonRow } from "../../../core/figures/index.ts";
import type { Table } from "../../../core/tables/index.ts";
import type { Session } from "../../session.ts";
import { renderFigure } from "../figure.ts";

const rowsPerPiece = 20_000;

/** Formats of query results other than text. */
export const rowFormats = ["json", "ndjson", "csv", "markdown", "html"];

/** Prints rows in the format of the session. `head`: JSON members before the rows; `title`: of an HTML page. */
export async function printRows(
  session: Session,
  table: Table,
  head: Readonly<Record<string, unknown>>,
  title: string,
): Promise<void> {
  if (session.format === "json") printJson(session, table, head);
  else if (session.format === "ndjson") printNdjson(session, table);
  else await printTable(session, table, title);
}

async function printTable(session: Session, table: Table, title: string): Promise<void> {
  const { format, output } = session;
  if (format !== "csv") {
    const figure = answerFigure(table, format === "text" ? "people" : "exact");
    return output.data(await renderFigure(session, format === "html" ? { ...figure, title } : figure, format));
  }
  for (let from = 0; from === 0 || from < table.length; from += rowsPerPiece) {
    const text = String(
      await renderFigure(
        session,
        answerFigure(table, "exact", from, Math.min(from + rowsPerPiece, table.length)),
        "csv",
      ),
    );
    output.data(from === 0 ? text : text.slice(text.indexOf("\r\n") + 2));
  }
}

function printJson({ output }: Session, table: Table, head: Readonly<Record<string, unknown>>): void {
  output.data(`${JSON.stringify(head).slice(0, -1)},"rows":[`);
  for (let row = 0; row < table.length; row++)
    output.data(`${row === 0 ? "\n" : ",\n"}${JSON.stringify(jsonRow(table, row))}`);
  output.data("\n]}\n");
}

function printNdjson({ output }: Session, table: Table): void {
  const names = table.variables.map((variable) => variable.name);
  for (let row = 0; row < table.length; row++) {
    const values = jsonRow(table, row);
    output.data(`${JSON.stringify(Object.fromEntries(names.map((name, i) => [name, values[i]])))}\n`);
  }
}

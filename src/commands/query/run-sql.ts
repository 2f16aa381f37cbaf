import type { Table } from "../../core/tables/table.ts";
import { descriptionText } from "../../formats/descriptions/description-text.ts";
import { experimentHome, withExperiments } from "../../workspace/experiments/experiments.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** A query as text, or the file that holds it (`-`: standard input). */
export type Statement = { readonly text: string } | { readonly file: string };

/**
 * The answer to one query in the SQL of the engine, over the views of docs/sql.md. Nothing can be changed. Fails with
 * `statement-refused` for what the engine does not understand, with `column-not-readable` for contents that have to be
 * cast.
 */
export async function runSql(workspace: Workspace, statement: Statement, database?: string): Promise<Table> {
  const text = "text" in statement ? statement.text : await contentOf(workspace, statement.file);
  return withExperiments(workspace, experimentHome(workspace, database), "read", (experiments) =>
    experiments.ask(text),
  );
}

/** The columns of every view: view, column, type, unit, synopsis. */
export function listViews(workspace: Workspace, database?: string): Promise<Table> {
  return withExperiments(workspace, experimentHome(workspace, database), "read", (experiments) => experiments.views());
}

async function contentOf(workspace: Workspace, file: string): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of workspace.files.stream(file)) pieces.push(piece);
  return descriptionText(Buffer.concat(pieces), file);
}

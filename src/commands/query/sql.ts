import type { Table } from "../../core/tables/table.ts";
import { descriptionText } from "../../formats/descriptions/description-text.ts";
import { evaluate } from "../../query/description/evaluate.ts";
import { plan, type QuerySpec } from "../../query/plan/query.ts";
import type { Statement } from "../../store/sql/query-statement.ts";
import { experimentHome, withExperiments } from "../../workspace/experiments/experiments.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { evaluated, type QueryGraphOptions } from "./query-graph.ts";

/**
 * What a query asks of the database, and what is done with the answers: a step is of these elements, the last of which
 * it yields.
 */
export type PlanStep =
  | { readonly elements: readonly string[]; readonly statement: Statement }
  | { readonly outside: string };

/** The plan of a described query. Sweeps and conditions on texts are looked up for it; rows are not. */
export async function explainGraph(workspace: Workspace, options: QueryGraphOptions): Promise<PlanStep[]> {
  const steps: PlanStep[] = [];
  let asking: readonly string[] = [];
  const trace = {
    asks(elements: readonly string[]): void {
      asking = elements;
    },
    outside(element: string): void {
      steps.push({ outside: element });
    },
  };
  const explains = (statement: Statement): void => {
    steps.push({ elements: asking, statement });
  };
  const work = async ({ query, data, compat }: Parameters<Parameters<typeof evaluated>[2]>[0]): Promise<[]> => {
    await evaluate(query, data, compat, trace);
    return [];
  };
  await evaluated(workspace, options, work, explains);
  return steps;
}

export interface QuestionPlace extends QuerySpec {
  readonly experiment: string;
  readonly database?: string;
}

/** The statement that answers a question; which versions are meant is looked up when it is asked. */
export async function explainQuestion(
  workspace: Workspace,
  { experiment, database, ...question }: QuestionPlace,
): Promise<PlanStep[]> {
  return withExperiments(workspace, experimentHome(workspace, database), "read", async (experiments) => {
    const stored = await experiments.find(experiment);
    const statement = await experiments.selectStatement(stored, plan(question, stored.experiment));
    return [{ elements: [stored.experiment.name], statement }];
  });
}

/** A query as text, or the file that holds it (`-`: standard input). */
export type SqlInput = { readonly text: string } | { readonly file: string };

/**
 * The answer to one query in the SQL of the engine, over the views of docs/sql.md. Nothing can be changed. Fails with
 * `statement-refused` for what the engine does not understand, with `column-not-readable` for contents that have to be
 * cast.
 */
export async function runSql(workspace: Workspace, statement: SqlInput, database?: string): Promise<Table> {
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

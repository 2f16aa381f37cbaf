import type { RunSelection } from "../../core/experiments/index.ts";
import { Failure } from "../../core/failures/index.ts";
import type { Table } from "../../core/tables/index.ts";
import { descriptionText, printQueryText, printQueryXml } from "../../formats/descriptions/index.ts";
import { describeQuery, evaluate } from "../../query/description/index.ts";
import { type LogicalPlan, plan, planLines } from "../../query/plan/index.ts";
import type { Statement } from "../../store/sql/index.ts";
import { experimentHome, withExperiment, withExperiments } from "../../workspace/experiments/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { PlanStep, QueryTarget } from "./plan-step.ts";
import { type QueryOptions, selectedRuns } from "./query-result.ts";
import { evaluated, type QueryGraphOptions } from "./query-graph.ts";

/** Plan of a described query. Reads values for sweeps and text conditions, but no rows. */
export async function explainGraph(workspace: Workspace, options: QueryGraphOptions): Promise<PlanStep[]> {
  const steps: PlanStep[] = [];
  let currentElements: readonly string[] = [];
  const trace = {
    asks(elements: readonly string[]): void {
      currentElements = elements;
    },
    outside(element: string): void {
      steps.push({ outside: element });
    },
  };
  const explains = (plan: LogicalPlan, statement: Statement): void => {
    steps.push({ elements: currentElements, lines: planLines(plan), statement });
  };
  const work = async ({ query, data, compat }: Parameters<Parameters<typeof evaluated>[2]>[0]): Promise<[]> => {
    await evaluate(query, data, compat, trace);
    return [];
  };
  await evaluated(workspace, options, work, explains);
  return steps;
}

/** Plan of a query, without resolving its commits. */
export async function explainQuery(
  workspace: Workspace,
  { experiment, database, join, ...query }: QueryTarget,
): Promise<PlanStep[]> {
  if (join !== undefined)
    return (await import("./join-query.ts")).explainJoin(workspace, {
      experiment,
      ...(database === undefined ? {} : { database }),
      join,
      ...query,
    });
  return withExperiment(workspace, { experiment, database }, "read", async (stored, experiments) => {
    const { runs: _, ...question } = query;
    const named = { ...question, ...(await selectedRuns(experiments, stored, query)) };
    const asked = plan(named, stored.experiment);
    const statement = await experiments.statement(stored, asked);
    return [{ elements: [stored.experiment.name], lines: planLines(asked), statement }];
  });
}

/** The query as a description, as text or XML. Fails like the query. */
export async function queryText(
  workspace: Workspace,
  options: QueryOptions,
  spelling: "text" | "xml",
): Promise<string> {
  if (options.join !== undefined)
    throw new Failure("unusable-combination", {
      what: "--print with --join: a description has the rows of one experiment",
      instead: "use --explain",
    });
  const query = await withExperiment(workspace, options, "read", async (stored, experiments) => {
    const { runs: _, ...question } = options;
    const runs = await selectedRuns(experiments, stored, options);
    return describeQuery({ ...question, ...runs }, stored.experiment, selectionOf(options));
  });
  return spelling === "xml" ? printQueryXml(query) : printQueryText(query);
}

function selectionOf({ commits, branch, firstParent, since, until }: QueryOptions): Omit<RunSelection, "id" | "index"> {
  return {
    ...(commits === undefined ? {} : { commit: commits }),
    ...(branch === undefined ? {} : { branch }),
    ...(firstParent === undefined ? {} : { firstParent }),
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
  };
}

/** SQL text, or the file that contains it (`-`: standard input). */
export type SqlInput = { readonly text: string } | { readonly file: string };

/**
 * Runs one SQL query over the views of docs/sql.md, read-only. Fails with `statement-refused` for invalid SQL, and
 * `column-not-readable` for values that need a cast.
 */
export async function runSql(workspace: Workspace, statement: SqlInput, database?: string): Promise<Table> {
  const text = "text" in statement ? statement.text : await readText(workspace, statement.file);
  return withExperiments(workspace, experimentHome(workspace, database), "read", (experiments) =>
    experiments.ask(text),
  );
}

/** Columns of all views: view, column, type, unit, synopsis. */
export function listViews(workspace: Workspace, database?: string): Promise<Table> {
  return withExperiments(workspace, experimentHome(workspace, database), "read", (experiments) => experiments.views());
}

async function readText(workspace: Workspace, file: string): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of workspace.files.stream(file)) pieces.push(piece);
  return descriptionText(Buffer.concat(pieces), file);
}

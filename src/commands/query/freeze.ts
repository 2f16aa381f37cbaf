import type { VersionId } from "../../core/versions/digest.ts";
import { variablesOf } from "../../query/plan/condition.ts";
import { Failure } from "../../core/failures/failure.ts";
import { rowsOf } from "../../core/tables/table.ts";
import { printQueryText } from "../../formats/descriptions/query-text-print.ts";
import type { FrozenQuery, FrozenQuestion } from "../../formats/store/experiments/frozen-query.ts";
import { commitLabels, commitsIn, labelled } from "../../query/history/commit-labels.ts";
import { evaluate } from "../../query/description/evaluate.ts";
import { choiceKey, historyKey } from "../../query/description/frozen-data.ts";
import { printOutputs } from "../../query/description/outputs/outputs.ts";
import { holdsCommits, inHistoryOrder, isHistorical } from "../../query/history/history-order.ts";
import { plan, runsOf, type Query } from "../../query/plan/query.ts";
import { VersionGraph } from "../../query/history/version-graph.ts";
import type { StoredExperiment } from "../../store/catalogue/catalogue.ts";
import type { DigestedContents } from "../../store/experiments/run-digests.ts";
import { experimentHome, withExperiments } from "../../workspace/experiments/experiments.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { alongHistory } from "../history/commit-axis.ts";
import {
  allContents,
  experimentThen,
  frozenRuns,
  frozenVariables,
  keepFrozen,
  readFrozen,
  verifyFrozen,
  type FreezeName,
} from "./frozen-query.ts";
import { History } from "../history/history.ts";
import { answerAtOnce, evaluated, type QueryGraphOptions } from "./query-graph.ts";
import type { QueryOutput } from "./query-outputs.ts";
import { ask, type Asked, type QueryOptions, type QueryResult } from "./query.ts";

/** Where a kept query is. */
export interface FrozenPlace {
  readonly experiment: string;
  readonly name: string;
  readonly database?: string;
}

/**
 * Keeps a question with the runs that have a part in its answer, and answers it from there. Fails like `query` and with
 * `attachment-exists`.
 */
export async function freezeQuestion(
  workspace: Workspace,
  options: QueryOptions,
  as: FreezeName,
): Promise<QueryResult> {
  if ((options.profiles ?? []).length > 0) {
    const instead = "freeze the question without them: profiles of a version may be added and removed";
    throw new Failure("unusable-combination", { what: "values of profiles cannot be frozen", instead });
  }
  const history = new History(workspace);
  const asked = await ask(workspace, options, history);
  const commits = await commitsOf(history, asked, options);
  const { results = [], by = [], where = [], statistics = [], sort = [], limit } = options;
  const words = { results, by, where, statistics, sort, ...(limit === undefined ? {} : { limit }) };
  const frozen = await withExperiments(
    workspace,
    experimentHome(workspace, options.database),
    "read",
    async (experiments) => {
      const stored = await experiments.find(options.experiment);
      const { versions, runs: named } = asked.query;
      const only = { ...(versions === undefined ? {} : { versions }), ...(named === undefined ? {} : { runs: named }) };
      const query = plan({ ...words, ...only }, stored.experiment);
      const runs = rowsOf(await experiments.select(stored, runsOf(query))).map(([run]) => Number(run));
      const contents = neededBy(query, stored);
      return { variables: frozenVariables(stored), runs: await frozenRuns(experiments, stored, { runs, contents }) };
    },
  );
  await keepFrozen(workspace, options, as, { asked: { kind: "question", ...words, commits }, ...frozen });
  const { experiment, database } = options;
  const answer = await replayQuestion(workspace, {
    experiment,
    name: as.name,
    ...(database === undefined ? {} : { database }),
  });
  if (answer === undefined) throw new RangeError("a frozen question is none");
  return { ...answer, notes: asked.notes };
}

async function commitsOf(
  history: History,
  asked: Asked,
  { branch, commitLabels: style }: QueryOptions,
): Promise<FrozenQuestion["commits"]> {
  if (!asked.outputs.some(holdsCommits)) return [];
  const { axis } = await alongHistory(history, asked, { branch, style: style ?? "id" });
  return axis.order.map((id) => ({
    id,
    ...(style === undefined || style === "id" ? {} : { label: axis.labels.get(id) ?? id }),
  }));
}

function neededBy({ outputs, where, of }: Query, { experiment }: StoredExperiment): DigestedContents {
  const used = new Set([...outputs.flatMap(({ source }) => source ?? []), ...where.flatMap(variablesOf)]);
  return { variables: experiment.variables.filter((variable) => used.has(variable)), dataSets: of === "data" };
}

/**
 * The answer to a frozen question, as it was when it was frozen; undefined when something else is kept under the name.
 * `isShort`: ids of versions are cut short where the question asked for no labels. Fails with `unknown-attachment`,
 * `frozen-query-changed`.
 */
export async function replayQuestion(
  workspace: Workspace,
  { experiment, name, database }: FrozenPlace,
  isShort = false,
): Promise<QueryResult | undefined> {
  return withExperiments(workspace, experimentHome(workspace, database), "read", async (experiments) => {
    const stored = await experiments.find(experiment);
    const attachment = await experiments.attachment(stored, name);
    if (attachment.kind !== "frozen_query") return undefined;
    const frozen = readFrozen(experiments, attachment);
    const { asked } = frozen;
    if (asked.kind !== "question") return undefined;
    const runs = frozen.runs.map(({ number }) => number);
    const query = plan({ ...asked, runs }, experimentThen(stored, frozen));
    await verifyFrozen(experiments, stored, attachment.name, frozen, neededBy(query, stored));
    const { limit: _, ...whole } = query;
    const table = await experiments.select(stored, isHistorical(query) ? whole : query);
    const { outputs } = query;
    const ordered = isHistorical(query)
      ? inHistoryOrder(
          table,
          query,
          asked.commits.map(({ id }) => id as VersionId),
        )
      : table;
    const told = new Map(asked.commits.flatMap(({ id, label }) => (label === undefined ? [] : [[id, label] as const])));
    const labels =
      told.size > 0 || !isShort
        ? told
        : commitLabels(commitsIn(ordered, outputs), "short", new VersionGraph(), new Map());
    return { table: labelled(ordered, outputs, labels), outputs, experiment: stored.experiment.name, notes: [] };
  });
}

/**
 * Keeps a query description, resolved, with all runs there are, and evaluates it. Fails like `runQuery` and with
 * `attachment-exists`.
 */
export async function freezeGraph(
  workspace: Workspace,
  options: QueryGraphOptions,
  as: FreezeName,
): Promise<QueryOutput[]> {
  const { database } = options;
  const kept: { frozen?: Omit<FrozenQuery, "schema" | "time">; experiment: string } = { experiment: "" };
  const outputs = await evaluated(workspace, options, async ({ stored, query, data, compat }, experiments) => {
    const all = await experiments.runs(stored, false);
    const measured = new Set(all.map(({ version }) => version));
    const runs = await frozenRuns(experiments, stored, {
      runs: all.map(({ number }) => number),
      contents: allContents(stored),
    });
    const choices = new Map<string, VersionId[]>();
    const versions: typeof data.versions = async (choice) => {
      const chosen = await data.versions(choice);
      choices.set(
        choiceKey(choice),
        [...chosen].filter((id) => measured.has(id)),
      );
      return chosen;
    };
    const ordered: typeof data.history = async (branch) => {
      const order = await data.history(branch);
      choices.set(
        historyKey,
        order.filter((id) => measured.has(id)),
      );
      return order;
    };
    const noted = { data: { ...data, versions, history: ordered } };
    const products = await answerAtOnce(experiments, noted, async (source) =>
      printOutputs(await evaluate(query, source, compat)),
    );
    const chosen = [...choices].map(([choice, of]) => ({ choice, versions: of }));
    const how = compat === undefined ? {} : { compat };
    const asked = { kind: "graph", description: printQueryText(query), ...how, choices: chosen } as const;
    kept.experiment = stored.experiment.name;
    kept.frozen = { asked, variables: frozenVariables(stored), runs };
    return products;
  });
  if (kept.frozen)
    await keepFrozen(
      workspace,
      { experiment: kept.experiment, ...(database === undefined ? {} : { database }) },
      as,
      kept.frozen,
    );
  return outputs;
}

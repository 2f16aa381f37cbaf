import type { VersionId } from "../../core/versions/index.ts";
import { mapPredicate, variablesIn, plan, sourceOf, runsOf, type LogicalPlan } from "../../query/plan/index.ts";
import { Failure } from "../../core/failures/index.ts";
import { rowsOf } from "../../core/tables/index.ts";
import { printQueryText } from "../../formats/descriptions/index.ts";
import type { FrozenQuery, FrozenOptions } from "../../formats/store/index.ts";
import {
  commitLabels,
  commitsIn,
  labelled,
  holdsCommits,
  inHistoryOrder,
  isHistorical,
  VersionGraph,
} from "../../query/history/index.ts";
import { evaluate, type SourceData, choiceKey, historyKey, printOutputs } from "../../query/description/index.ts";
import type { StoredExperiment } from "../../store/catalogue/index.ts";
import type { DigestedValues } from "../../store/experiments/index.ts";
import { withExperiment } from "../../workspace/experiments/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { alongHistory, History } from "../history/index.ts";
import {
  allValues,
  experimentAtFreeze,
  frozenRuns,
  frozenVariables,
  storeFrozen,
  readFrozen,
  verifyFrozen,
  type FreezeName,
} from "./frozen-query.ts";
import { answerFromSnapshot, evaluated, type QueryGraphOptions } from "./query-graph.ts";
import type { QueryOutput } from "./query-outputs.ts";
import type { QueryOptions, QueryResult, RawResult } from "./query-result.ts";
import { queryRows } from "./query.ts";

/** Identifies a frozen query. */
export interface FrozenRef {
  readonly experiment: string;
  readonly name: string;
  readonly database?: string;
}

/**
 * Stores a query with the runs that its result depends on, and returns the result from there. Fails like `query` and
 * with `attachment-exists`.
 */
export async function freezeQuery(workspace: Workspace, options: QueryOptions, as: FreezeName): Promise<QueryResult> {
  if ((options.profiles ?? []).length > 0) {
    const instead = "freeze the query without them: profiles of a commit may be added and removed";
    throw new Failure("unusable-combination", { what: "values of profiles cannot be frozen", instead });
  }
  if (options.join !== undefined)
    throw new Failure("unusable-combination", { what: "--freeze with --join", instead: "freeze a query of each" });
  const history = new History(workspace);
  const current = await queryRows(workspace, options, history);
  const commits = await commitsOf(history, current, options);
  const { results = [], by = [], where = [], statistics = [], sort = [], limit } = options;
  const words = { results, by, where, statistics, sort, ...(limit === undefined ? {} : { limit }) };
  const frozen = await withExperiment(workspace, options, "read", async (stored, experiments) => {
    const { versions, runs: named } = current.query;
    const only = { ...(versions === undefined ? {} : { versions }), ...(named === undefined ? {} : { runs: named }) };
    const query = plan({ ...words, ...only }, stored.experiment);
    const runs = rowsOf(await experiments.select(stored, runsOf(query))).map(([run]) => Number(run));
    const needed = neededBy(query, stored);
    return { variables: frozenVariables(stored), runs: await frozenRuns(experiments, stored, { runs, needed }) };
  });
  await storeFrozen(workspace, options, as, {
    asked: { kind: "question", ...words, patterns: true, commits },
    ...frozen,
  });
  const { experiment, database } = options;
  const answer = await replayQuery(workspace, {
    experiment,
    name: as.name,
    ...(database === undefined ? {} : { database }),
  });
  if (answer === undefined) throw new RangeError("a frozen query was not stored as one");
  return { ...answer, notes: current.notes };
}

async function commitsOf(
  history: History,
  current: RawResult,
  { branch, commitLabels: style }: QueryOptions,
): Promise<FrozenOptions["commits"]> {
  if (!current.outputs.some(holdsCommits)) return [];
  const { axis } = await alongHistory(history, current, { branch, style: style ?? "id" });
  return axis.order.map((id) => ({
    id,
    ...(style === undefined || style === "id" ? {} : { label: axis.labels.get(id) ?? id }),
  }));
}

function neededBy({ outputs, where, of }: LogicalPlan, { experiment }: StoredExperiment): DigestedValues {
  const used = new Set([...outputs.flatMap((output) => sourceOf(output) ?? []), ...where.flatMap(variablesIn)]);
  return { variables: experiment.variables.filter((variable) => used.has(variable)), rows: of === "data" };
}

/** In queries that were frozen before patterns, `~` is a part of the text. */
function withLiteralMatches(query: LogicalPlan): LogicalPlan {
  const literally = { regexp: "contain", notregexp: "notcontain" } as const;
  const where = query.where.map((predicate) =>
    mapPredicate(predicate, (each) =>
      each.kind === "regexp" || each.kind === "notregexp" ? { ...each, kind: literally[each.kind] } : each,
    ),
  );
  return { ...query, where };
}

/**
 * Result of a frozen query as of the freeze; undefined if another kind is stored under the name. `isShort`: abbreviate
 * commit ids if no labels were requested. Fails with `unknown-attachment`, `frozen-query-changed`.
 */
export async function replayQuery(
  workspace: Workspace,
  { experiment, name, database }: FrozenRef,
  isShort = false,
): Promise<QueryResult | undefined> {
  return withExperiment(workspace, { experiment, database }, "read", async (stored, experiments) => {
    const attachment = await experiments.attachment(stored, name);
    if (attachment.kind !== "frozen_query") return undefined;
    const frozen = readFrozen(experiments, attachment);
    const { asked } = frozen;
    if (asked.kind !== "question") return undefined;
    const runs = frozen.runs.map(({ number }) => number);
    const planned = plan({ ...asked, runs }, experimentAtFreeze(stored, frozen));
    const query = asked.patterns === true ? planned : withLiteralMatches(planned);
    await verifyFrozen(experiments, stored, attachment.name, frozen, neededBy(query, stored));
    const { limit: _, ...unlimited } = query;
    const table = await experiments.select(stored, isHistorical(query) ? unlimited : query);
    const { outputs } = query;
    const ordered = isHistorical(query)
      ? inHistoryOrder(
          table,
          query,
          asked.commits.map(({ id }) => id as VersionId),
        )
      : table;
    const storedLabels = new Map(
      asked.commits.flatMap(({ id, label }) => (label === undefined ? [] : [[id, label] as const])),
    );
    const labels =
      storedLabels.size > 0 || !isShort
        ? storedLabels
        : commitLabels(commitsIn(ordered, outputs), "short", new VersionGraph(), new Map());
    return { table: labelled(ordered, outputs, labels), outputs, experiment: stored.experiment.name, notes: [] };
  });
}

/**
 * Stores a resolved query description with all current runs, and evaluates it. Fails like `runQuery` and with
 * `attachment-exists`.
 */
export async function freezeGraph(
  workspace: Workspace,
  options: QueryGraphOptions,
  as: FreezeName,
): Promise<QueryOutput[]> {
  const { database } = options;
  const result: { frozen?: Omit<FrozenQuery, "schema" | "time">; experiment: string } = { experiment: "" };
  const outputs = await evaluated(workspace, options, async ({ stored, query, data, compat }, experiments) => {
    const all = await experiments.runs(stored, false);
    const measured = new Set(all.map(({ version }) => version));
    const runs = await frozenRuns(experiments, stored, {
      runs: all.map(({ number }) => number),
      needed: allValues(stored),
    });
    const choices = new Map<string, VersionId[]>();
    const recording = { data: recordingChoices(data, measured, choices) };
    const products = await answerFromSnapshot(experiments, recording, async (source) =>
      printOutputs(await evaluate(query, source, compat)),
    );
    const chosen = [...choices].map(([choice, of]) => ({ choice, versions: of }));
    const how = compat === undefined ? {} : { compat };
    const asked = { kind: "graph", description: printQueryText(query), ...how, choices: chosen } as const;
    result.experiment = stored.experiment.name;
    result.frozen = { asked, variables: frozenVariables(stored), runs };
    return products;
  });
  if (result.frozen)
    await storeFrozen(
      workspace,
      { experiment: result.experiment, ...(database === undefined ? {} : { database }) },
      as,
      result.frozen,
    );
  return outputs;
}

/** Data that records the measured commits of every selection and history order in `choices`. */
function recordingChoices(
  data: SourceData,
  measured: ReadonlySet<VersionId | undefined>,
  choices: Map<string, VersionId[]>,
): SourceData {
  const record = (key: string, ids: Iterable<VersionId>): void =>
    void choices.set(
      key,
      [...ids].filter((id) => measured.has(id)),
    );
  return {
    ...data,
    versions: async (choice) => {
      const selected = await data.versions(choice);
      record(choiceKey(choice), selected);
      return selected;
    },
    history: async (branch) => {
      const order = await data.history(branch);
      record(historyKey, order);
      return order;
    },
  };
}

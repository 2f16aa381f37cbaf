import { Failure, isFailure } from "../../core/failures/index.ts";
import type { QueryDescription } from "../../core/experiments/index.ts";
import {
  evaluate,
  outside,
  type SourceData,
  experimentOf,
  resolveMacros,
  frozenData,
  printOutputs,
  type QueryProduct,
  choosesVersions,
  type SelectableRun,
} from "../../query/description/index.ts";
import type { LogicalPlan } from "../../query/plan/index.ts";
import { descriptionText, printQueryText, readQuery } from "../../formats/descriptions/index.ts";
import type { FrozenGraph, FrozenQuery } from "../../formats/store/index.ts";
import { answerKey } from "../../store/cache/index.ts";
import type { StoredExperiment, RunSummary } from "../../store/catalogue/index.ts";
import { type Statement, compileRegex } from "../../store/sql/index.ts";
import type { Experiments } from "../../store/experiments/index.ts";
import { experimentHome, withExperiments } from "../../workspace/experiments/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { allValues, experimentAtFreeze, readFrozen, verifyFrozen } from "./frozen-query.ts";
import { orderOf, History } from "../history/index.ts";
import { finishOutputs, type QueryOutput } from "./query-outputs.ts";

export interface QueryGraphOptions {
  /** The query: a file, the name of an attachment, or text with a name for messages. */
  readonly description:
    | { readonly path: string }
    | { readonly attached: string }
    | { readonly text: string; readonly name: string };
  /** Overrides the experiment of the description; required for attachments. */
  readonly experiment?: string;
  /** Values of macros, by id. */
  readonly fixed?: ReadonlyMap<string, string>;
  readonly database?: string;
  /** Reproduce perfbase's numbers and names, including its defects. */
  readonly compat?: "perfbase";
  /** Version of perfkeep for the result cache. Absent: no caching. */
  readonly program?: string;
  /** Aborted when the result is no longer needed. */
  readonly stopped?: AbortSignal;
}

/** A resolved query and its data. */
export interface ResolvedQuery {
  readonly stored: StoredExperiment;
  readonly query: QueryDescription;
  readonly data: SourceData;
  readonly compat?: "perfbase";
  readonly isFrozen?: true;
}

/**
 * Evaluates a query without writing outputs. Fails with `description-error`, `query-not-possible` and similar failures.
 */
export async function runQuery(workspace: Workspace, options: QueryGraphOptions): Promise<QueryOutput[]> {
  const { program } = options;
  return evaluated(workspace, options, async (resolved, experiments) =>
    answerFromSnapshot(experiments, resolved, async (data) => {
      const answer = async (): Promise<QueryProduct[]> =>
        printOutputs(await evaluate(resolved.query, data, resolved.compat));
      const key = program === undefined ? undefined : await keyOf(resolved, experiments, program);
      return key === undefined ? answer() : cachedAnswer(workspace, key, answer);
    }),
  );
}

/**
 * Runs `work` on one database snapshot. If the server refuses a statement (e.g. numeric overflow), retries in a new
 * snapshot with aggregation outside of the database.
 */
export async function answerFromSnapshot<T>(
  experiments: Experiments,
  { data }: Pick<ResolvedQuery, "data">,
  work: (data: SourceData) => Promise<T>,
): Promise<T> {
  try {
    return await experiments.inSnapshot(() => work(data));
  } catch (error) {
    if (data.summarizes === undefined || !isFailure(error, "database-refused")) throw error;
    return experiments.inSnapshot(() => work(outside(data)));
  }
}

/** Minimum evaluation time for caching, ms. */
const minCachedDuration = 50;

async function cachedAnswer(
  workspace: Workspace,
  key: string,
  answer: () => Promise<QueryProduct[]>,
): Promise<QueryProduct[]> {
  const { world } = workspace;
  const cache = workspace.answers();
  const startedMs = world.now();
  const known = cache.get(key, startedMs / 1000);
  if (known !== undefined) return known as QueryProduct[];
  const products = await answer();
  if (world.now() - startedMs >= minCachedDuration) cache.put(key, products);
  return products;
}

/** undefined: the result depends on more than the experiment (branches, frozen data). */
async function keyOf(
  { stored, query, compat, isFrozen }: ResolvedQuery,
  experiments: Experiments,
  program: string,
): Promise<string | undefined> {
  const isHistorical = query.parameters.some(({ value }) => /^@?commit$/i.test(value));
  if (isFrozen === true || isHistorical || query.runs.some(choosesVersions)) return undefined;
  const state = await experiments.state(stored);
  return state && answerKey([program, ...state, stored.id, printQueryText(query), compat ?? null]);
}

/**
 * Resolves a query and calls `work` while the database is open. `explains` receives the plans and statements of rows,
 * which are not executed.
 */
export async function evaluated(
  workspace: Workspace,
  options: QueryGraphOptions,
  work: (resolved: ResolvedQuery, experiments: Experiments) => Promise<QueryProduct[]>,
  explains?: (plan: LogicalPlan, statement: Statement) => void,
): Promise<QueryOutput[]> {
  const { description, experiment, fixed = new Map(), compat } = options;
  const read = readText(workspace, description, fixed);
  const history = new History(workspace);
  const products = await withExperiments(
    workspace,
    experimentHome(workspace, options.database),
    "read",
    async (experiments) => {
      const stored = await experiments.find(experimentOf(read, experiment));
      const data = {
        ...dataOf(workspace, experiments, stored, history),
        ...(explains ? { rows: explainRows(experiments, stored, explains) } : {}),
      };
      const known = { stored, data, ...(compat === undefined ? {} : { compat }) };
      return work(
        read === undefined ? await attached(experiments, known, options) : { ...known, query: read },
        experiments,
      );
    },
    undefined,
    options.stopped,
  );
  return finishOutputs(workspace, products);
}

/** undefined: an attachment. */
function readText(
  workspace: Workspace,
  description: QueryGraphOptions["description"],
  fixed: ReadonlyMap<string, string>,
): QueryDescription | undefined {
  if ("text" in description) return resolveMacros(readQuery(description.text, description.name), fixed);
  return "path" in description ? parsed(workspace.files.read(description.path), description.path, fixed) : undefined;
}

function parsed(bytes: Uint8Array, name: string, fixed: ReadonlyMap<string, string>): QueryDescription {
  return resolveMacros(readQuery(descriptionText(bytes, name), name), fixed);
}

async function attached(
  experiments: Experiments,
  known: Omit<ResolvedQuery, "query">,
  { description, fixed = new Map() }: QueryGraphOptions,
): Promise<ResolvedQuery> {
  const { stored } = known;
  const name = "attached" in description ? description.attached : "";
  const found = await experiments.attachment(stored, name);
  const frozen = found.kind === "frozen_query" ? readFrozen(experiments, found) : undefined;
  if (frozen?.asked.kind === "graph") return frozenQuery(experiments, known, frozen, frozen.asked, found.name, fixed);
  const { object } = await experiments.attachment(stored, name, "query");
  return { ...known, query: parsed(experiments.attachmentBytes({ ...found, object }), name, fixed) };
}

async function frozenQuery(
  experiments: Experiments,
  { stored, data: now }: Omit<ResolvedQuery, "query">,
  frozen: FrozenQuery,
  { description, compat, choices }: FrozenGraph,
  name: string,
  fixed: ReadonlyMap<string, string>,
): Promise<ResolvedQuery> {
  if (fixed.size > 0) {
    const instead = "omit --fixed, or evaluate the description that was frozen";
    throw new Failure("unusable-combination", { what: `'${name}' is frozen with its fixed values`, instead });
  }
  const experiment = experimentAtFreeze(stored, frozen);
  await verifyFrozen(experiments, stored, name, frozen, allValues({ experiment }));
  const then = { ...now, experiment };
  const runs = frozen.runs.map(({ number }) => number);
  const chosen = new Map(choices.map(({ choice, versions }) => [choice, versions]));
  const data = frozenData(then, runs, chosen);
  return {
    stored,
    query: readQuery(description, name),
    data,
    isFrozen: true,
    ...(compat === undefined ? {} : { compat }),
  };
}

function explainRows(
  experiments: Experiments,
  stored: StoredExperiment,
  explains: (plan: LogicalPlan, statement: Statement) => void,
): SourceData["rows"] {
  return async (plan) => {
    explains(plan, await experiments.statement(stored, plan));
    return { table: { variables: [], columns: [], length: 0 }, chronology: [] };
  };
}

function dataOf(
  workspace: Workspace,
  experiments: Experiments,
  stored: StoredExperiment,
  history: History,
): SourceData {
  return {
    experiment: stored.experiment,
    runs: async () => (await experiments.runs(stored, false)).map(selectable),
    rows: (plan) => experiments.sourceRows(stored, plan),
    distinct: (variable, condition) => experiments.distinct(stored, variable, condition),
    history: async (branch) => {
      const { order, notes } = await orderOf(history, branch);
      for (const note of notes) workspace.world.warn?.(note);
      return order;
    },
    versions: ({ commit, ...choice }) =>
      history.select({ ...choice, ...(commit === undefined ? {} : { commits: commit }) }),
    compile: compileRegex,
    summarizes: true,
  };
}

/** Run metadata for selection; the label is perfbase's description. */
function selectable({ number, created, performed, synopsis, label, version }: RunSummary): SelectableRun {
  return {
    number,
    created,
    performed,
    ...(synopsis === undefined ? {} : { synopsis }),
    ...(label === undefined ? {} : { description: label }),
    ...(version === undefined ? {} : { version }),
  };
}

import { Failure, isFailure } from "../../core/failures/failure.ts";
import type { QueryDescription } from "../../core/experiments/query-description.ts";
import { evaluate, experimentOf, outside, type SourceData } from "../../query/description/evaluate.ts";
import { resolveMacros } from "../../query/description/graph.ts";
import { frozenData } from "../../query/description/frozen-data.ts";
import { printOutputs, type QueryProduct } from "../../query/description/outputs/outputs.ts";
import { choosesVersions, type SelectableRun } from "../../query/description/sources/run-selection.ts";
import { descriptionText } from "../../formats/descriptions/description-text.ts";
import type { FrozenGraph, FrozenQuery } from "../../formats/store/experiments/frozen-query.ts";
import { printQueryText } from "../../formats/descriptions/query-text-print.ts";
import { readQuery } from "../../formats/descriptions/query/query-text.ts";
import { answerKey } from "../../store/cache/answer-cache.ts";
import type { StoredExperiment } from "../../store/catalogue/catalogue.ts";
import type { Statement } from "../../store/sql/query-statement.ts";
import type { RunSummary } from "../../store/catalogue/experiment-lists.ts";
import type { Experiments } from "../../store/experiments/experiments.ts";
import { compile } from "../../store/sql/source-rows.ts";
import { experimentHome, withExperiments } from "../../workspace/experiments/experiments.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { allContents, experimentThen, readFrozen, verifyFrozen } from "./frozen-query.ts";
import { orderOf } from "../history/commit-axis.ts";
import { History } from "../history/history.ts";
import { finished, type QueryOutput } from "./query-outputs.ts";

export interface QueryGraphOptions {
  /**
   * The query: a file to read it from, the name under which it is attached to the experiment, or itself with what
   * messages call it.
   */
  readonly description:
    | { readonly path: string }
    | { readonly attached: string }
    | { readonly text: string; readonly name: string };
  /** Stands before the experiment that the description names; needed for one that is attached. */
  readonly experiment?: string;
  /** Contents of macros, by id. */
  readonly fixed?: ReadonlyMap<string, string>;
  readonly database?: string;
  /** perfbase's numbers and names also where they rest on a defect. */
  readonly compat?: "perfbase";
  /** The version of the program: answers it gave before may be given again. Absent: everything is evaluated. */
  readonly program?: string;
  /** Nobody waits for the answer any longer. */
  readonly stopped?: AbortSignal;
}

/** A query with nothing left to look up, and the data that it is about. */
export interface ResolvedQuery {
  readonly stored: StoredExperiment;
  readonly query: QueryDescription;
  readonly data: SourceData;
  readonly compat?: "perfbase";
  readonly isFrozen?: true;
}

/**
 * Evaluates a query; nothing is written or printed. Fails with `description-error`, `query-not-possible` and friends.
 */
export async function runQuery(workspace: Workspace, options: QueryGraphOptions): Promise<QueryOutput[]> {
  const { program } = options;
  return evaluated(workspace, options, async (resolved, experiments) =>
    answerAtOnce(experiments, resolved, async (data) => {
      const answer = async (): Promise<QueryProduct[]> =>
        printOutputs(await evaluate(resolved.query, data, resolved.compat));
      const key = program === undefined ? undefined : await keyOf(resolved, experiments, program);
      return key === undefined ? answer() : remembered(workspace, key, answer);
    }),
  );
}

/**
 * All that `work` asks is as the database is at one moment. What a server refuses, as where numbers overflow, ends the
 * moment: in another one nothing but rows is asked of it.
 */
export async function answerAtOnce<T>(
  experiments: Experiments,
  { data }: Pick<ResolvedQuery, "data">,
  work: (data: SourceData) => Promise<T>,
): Promise<T> {
  try {
    return await experiments.atOneMoment(() => work(data));
  } catch (error) {
    if (data.summarizes === undefined || !isFailure(error, "database-refused")) throw error;
    return experiments.atOneMoment(() => work(outside(data)));
  }
}

/** Below this, in milliseconds, looking up is no faster than evaluating. */
const worthKeeping = 50;

async function remembered(
  workspace: Workspace,
  key: string,
  answer: () => Promise<QueryProduct[]>,
): Promise<QueryProduct[]> {
  const { world } = workspace;
  const cache = workspace.answers();
  const begun = world.now();
  const known = cache.get(key, begun / 1000);
  if (known !== undefined) return known as QueryProduct[];
  const products = await answer();
  if (world.now() - begun >= worthKeeping) cache.put(key, products);
  return products;
}

/** undefined: the answer depends on more than the experiment: on branches, on what was frozen. */
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
 * `work` is done while the database is open. `explains` is told the statements for rows, which are not run: there are
 * none then.
 */
export async function evaluated(
  workspace: Workspace,
  options: QueryGraphOptions,
  work: (resolved: ResolvedQuery, experiments: Experiments) => Promise<QueryProduct[]>,
  explains?: (statement: Statement) => void,
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
        ...(explains ? { rows: explained(experiments, stored, explains) } : {}),
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
  return finished(workspace, products);
}

/** undefined: it is attached. */
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
  if (frozen?.asked.kind === "graph") return thawed(experiments, known, frozen, frozen.asked, found.name, fixed);
  const { object } = await experiments.attachment(stored, name, "query");
  return { ...known, query: parsed(experiments.content({ ...found, object }), name, fixed) };
}

async function thawed(
  experiments: Experiments,
  { stored, data: now }: Omit<ResolvedQuery, "query">,
  frozen: FrozenQuery,
  { description, compat, choices }: FrozenGraph,
  name: string,
  fixed: ReadonlyMap<string, string>,
): Promise<ResolvedQuery> {
  if (fixed.size > 0) {
    const instead = "leave --fixed out, or evaluate the description that was frozen";
    throw new Failure("unusable-combination", { what: `'${name}' is frozen with its fixed contents`, instead });
  }
  const experiment = experimentThen(stored, frozen);
  await verifyFrozen(experiments, stored, name, frozen, allContents({ experiment }));
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

function explained(
  experiments: Experiments,
  stored: StoredExperiment,
  explains: (statement: Statement) => void,
): SourceData["rows"] {
  return async (plan) => {
    explains(await experiments.rowStatement(stored, plan));
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
      history.chosen({ ...choice, ...(commit === undefined ? {} : { commits: commit }) }),
    compile,
    summarizes: true,
  };
}

/** What was said of a run at its import; its label is the shorter of two texts. */
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

import type { QueryDescription } from "../core/query-description.ts";
import { evaluate, experimentOf, type SourceData } from "../query/graph/evaluate.ts";
import { resolveMacros } from "../query/graph/macros.ts";
import { printOutputs } from "../query/graph/outputs/outputs.ts";
import type { SelectableRun } from "../query/graph/run-selection.ts";
import { descriptionText } from "../formats/description-text.ts";
import { readQuery } from "../formats/query-text.ts";
import type { StoredExperiment } from "../store/catalogue.ts";
import type { RunSummary } from "../store/experiment-lists.ts";
import type { Experiments } from "../store/experiments.ts";
import { compile } from "../store/source-rows.ts";
import { experimentHome, withExperiments } from "../workspace/experiments.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { History } from "./history.ts";
import { finished, type QueryOutput } from "./query-outputs.ts";

export interface QueryGraphOptions {
  /** The query: a file to read it from, or the name under which it is attached to the experiment. */
  readonly description: { readonly path: string } | { readonly attached: string };
  /** Stands before the experiment that the description names; needed for one that is attached. */
  readonly experiment?: string;
  /** Contents of macros, by id. */
  readonly fixed?: ReadonlyMap<string, string>;
  readonly database?: string;
  /** perfbase's numbers and names also where they rest on a defect. */
  readonly compat?: "perfbase";
}

/** Evaluates a query; nothing is written or printed. Fails with `description-error`, `query-not-possible` and friends. */
export async function runQuery(workspace: Workspace, options: QueryGraphOptions): Promise<QueryOutput[]> {
  const { description, experiment, fixed = new Map() } = options;
  const read = "path" in description ? parsed(workspace.files.read(description.path), description.path, fixed) : undefined;
  const history = new History(workspace);
  const products = await withExperiments(workspace, experimentHome(workspace, options.database), "read", async (experiments) => {
    const stored = await experiments.find(experimentOf(read, experiment));
    const query = read ?? (await attached(experiments, stored, description, fixed));
    return printOutputs(await evaluate(query, dataOf(experiments, stored, history), options.compat));
  });
  return finished(workspace, products);
}

function parsed(bytes: Uint8Array, name: string, fixed: ReadonlyMap<string, string>): QueryDescription {
  return resolveMacros(readQuery(descriptionText(bytes, name), name), fixed);
}

async function attached(
  experiments: Experiments,
  stored: StoredExperiment,
  description: QueryGraphOptions["description"],
  fixed: ReadonlyMap<string, string>,
): Promise<QueryDescription> {
  const name = "attached" in description ? description.attached : description.path;
  return parsed(experiments.content(await experiments.attachment(stored, name, "query")), name, fixed);
}

function dataOf(experiments: Experiments, stored: StoredExperiment, history: History): SourceData {
  return {
    experiment: stored.experiment,
    runs: async () => (await experiments.runs(stored, false)).map(selectable),
    rows: (plan) => experiments.sourceRows(stored, plan),
    distinct: (variable, condition) => experiments.distinct(stored, variable, condition),
    versions: ({ commit, ...choice }) => history.chosen({ ...choice, ...(commit === undefined ? {} : { commits: commit }) }),
    compile,
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

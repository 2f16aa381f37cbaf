import { Failure } from "../../core/failures/index.ts";
import { isHistorical } from "../../query/history/index.ts";
import { joinTables, planJoin, type JoinOutput, type JoinPlan } from "../../query/join/index.ts";
import {
  commitVariable,
  planLines,
  runsByCommit,
  type Output,
  type LogicalPlan,
  summaryOf,
  valueOutput,
} from "../../query/plan/index.ts";
import type { StoredExperiment } from "../../store/catalogue/index.ts";
import type { Experiments } from "../../store/experiments/index.ts";
import { experimentHome, withExperiments } from "../../workspace/experiments/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { skippedRunNotes, type History } from "../history/index.ts";
import type { PlanStep, QueryTarget } from "./plan-step.ts";
import { measuredVersions, nothingSelected, querySpecOf, type QueryOptions, type RawResult } from "./query-result.ts";

/** A query of two experiments. */
export type JoinOptions = QueryOptions & Required<Pick<QueryOptions, "join">>;

/**
 * The joined rows of two experiments of a database, from one snapshot. The join is evaluated outside of the database:
 * the result is the same on every engine. Fails like `queryRows` and with failures of `planJoin` and `joinTables`.
 */
export async function joinedRows(workspace: Workspace, options: JoinOptions, history: History): Promise<RawResult> {
  const { commits, branch, firstParent, since, until } = options;
  const isChosen = [commits, branch, firstParent, since, until].some((each) => each !== undefined);
  const chosen = isChosen ? await history.select(options) : undefined;
  return withExperiments(workspace, experimentHome(workspace, options.database), "read", (experiments) =>
    experiments.inSnapshot(async () => {
      const { sides, plan } = await plannedJoin(experiments, options);
      const notes: string[] = [];
      const selected = async (at: 0 | 1): ReturnType<Experiments["select"]> => {
        const counts = chosen && (await experiments.select(sides[at], runsByCommit));
        if (counts !== undefined)
          notes.push(...skippedRunNotes(counts, options, history).map((note) => `${plan.names[at]}: ${note}`));
        const versions = counts && chosen ? { versions: measuredVersions(counts, chosen) } : {};
        return experiments.select(sides[at], { ...plan.sides[at], ...versions });
      };
      const tables = [await selected(0), await selected(1)] as const;
      for (const at of needed(plan)) if (tables[at].length === 0) throw await nothingSelected(experiments, sides[at]);
      const query = orderOf(plan);
      const { table, report } = joinTables(plan, tables, !isHistorical(query));
      const { outputs } = query;
      const { aliases } = plan;
      return {
        table,
        outputs,
        experiment: plan.names[0],
        notes: [...notes, ...report.notes],
        query,
        join: report,
        aliases,
      };
    }),
  );
}

/** The experiments whose rows a result cannot do without. */
function needed({ type }: JoinPlan): (0 | 1)[] {
  return { inner: [0, 1] as const, left: [0] as const, right: [1] as const, full: [] }[type].slice();
}

interface PlannedJoin {
  readonly sides: readonly [StoredExperiment, StoredExperiment];
  readonly plan: JoinPlan;
}

async function plannedJoin(experiments: Experiments, options: JoinOptions): Promise<PlannedJoin> {
  if ((options.runs ?? []).length > 0)
    throw new Failure("unusable-combination", {
      what: "--run with --join: both experiments have runs of these numbers",
      instead: `select runs by a condition, as in --where '${options.experiment}.run in 1,2'`,
    });
  const sides = [await experiments.find(options.experiment), await experiments.find(options.join.experiment)] as const;
  const spec = querySpecOf(options);
  return { sides, plan: planJoin(spec, options.join, [sides[0].experiment, sides[1].experiment]) };
}

/** The columns and the order of the result, as of a query of one experiment. */
function orderOf({ outputs, grouped, sort, limit }: JoinPlan): LogicalPlan {
  return {
    outputs: outputs.map(outputOf),
    grouped,
    where: [],
    sort,
    ...(limit === undefined ? {} : { limit }),
    of: "data",
  };
}

/** A commit stays the one that history knows; other variables have the name of their column. */
function outputOf({ variable, source = variable, from, statistic }: JoinOutput): Output {
  const isCommit = from.kind === "variable" && from.variable === commitVariable && statistic === undefined;
  return {
    ...(from.kind === "rows" ? {} : valueOutput(isCommit ? commitVariable : source)),
    ...(statistic === undefined ? {} : { aggregate: from.kind === "rows" ? { kind: "rows" } : summaryOf(statistic) }),
    variable,
  };
}

/** The plan of a query of two experiments: a statement for each, then the join outside of the database. */
export async function explainJoin(
  workspace: Workspace,
  options: QueryTarget & Required<Pick<QueryOptions, "join">>,
): Promise<PlanStep[]> {
  return withExperiments(workspace, experimentHome(workspace, options.database), "read", async (experiments) => {
    const { sides, plan } = await plannedJoin(experiments, options);
    const statements: PlanStep[] = [];
    for (const at of [0, 1] as const)
      statements.push({
        elements: [plan.names[at]],
        lines: planLines(plan.sides[at]),
        statement: await experiments.statement(sides[at], plan.sides[at]),
      });
    const keys = plan.keys.map(({ of: [left, right] }) =>
      left.name === right.name ? left.name : `${left.name}=${right.name}`,
    );
    const { length } = plan.outputs.filter(({ statistic }) => statistic !== undefined);
    return [
      ...statements,
      { outside: `${plan.type} join of ${plan.names.join(" and ")} on ${keys.join(", ")}` },
      ...(plan.grouped ? [{ outside: length === 0 ? "groups" : "groups and statistics" }] : []),
      ...(plan.sort.length === 0 ? [] : [{ outside: "sort" }]),
      ...(plan.limit === undefined ? [] : [{ outside: "limit" }]),
    ];
  });
}

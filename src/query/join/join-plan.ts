import type { Experiment, JoinSpec, JoinType } from "../../core/experiments/index.ts";
import { Failure } from "../../core/failures/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import {
  groupedBy,
  rowCount,
  rowsQuery,
  selectedStatistics,
  type Predicate,
  type LogicalPlan,
  type QuerySpec,
  readConditions,
  splitCondition,
  type ConditionText,
} from "../plan/index.ts";
import { parseStatistic, statisticName, statisticOf, type Statistic } from "../statistics/index.ts";
import { joinKeys, type JoinKey } from "./join-keys.ts";
import { JoinNames, type JoinColumn, type Side } from "./join-names.ts";

/** A query of two experiments whose rows are joined where the keys are equal. */
export interface JoinPlan {
  /** The rows of each experiment: the values of the keys, then the other variables that the result needs. */
  readonly sides: readonly [LogicalPlan, LogicalPlan];
  readonly names: readonly [string, string];
  readonly keys: readonly JoinKey[];
  /** The keys were not given. */
  readonly areDefaultKeys: boolean;
  readonly type: JoinType;
  readonly outputs: readonly JoinOutput[];
  /** True: one row per group of equal values of the outputs without a statistic. */
  readonly grouped: boolean;
  readonly sort: readonly { readonly output: number; readonly descending: boolean }[];
  readonly limit?: number;
  /** Names of columns without their statistic, by all accepted spellings in lower case. */
  readonly aliases: ReadonlyMap<string, string>;
}

/** One column of the result. */
export interface JoinOutput {
  /** Unique name, type and unit. */
  readonly variable: Variable;
  readonly from: JoinColumn;
  /** Its variable, with a unique name; absent for the number of joined rows. */
  readonly source?: Variable;
  /** Absent: the value itself. */
  readonly statistic?: Statistic;
}

type Experiments = readonly [Experiment, Experiment];

/**
 * Resolves and checks the names of a query of two experiments. Fails like `plan`, with `ambiguous-variable`, and with
 * `join-not-possible` without keys, for keys of different types, and for conditions that mix both experiments.
 */
export function planJoin(spec: QuerySpec, join: JoinSpec, experiments: Experiments): JoinPlan {
  const [left, right] = experiments;
  if (left.name === right.name)
    throw new Failure("join-not-possible", {
      problem: `'${left.name}' cannot be joined with itself`,
      advice: "group by the parameter that differs (--by)",
    });
  const keys = joinKeys(join.on, experiments);
  const names = new JoinNames(experiments, keys);
  const outputs = outputsOf(spec, experiments, names);
  const where = conditionsBySide(spec.where ?? [], names);
  const side = (at: Side): LogicalPlan => sideQuery(at, experiments[at], { keys, outputs, where: where[at] });
  return {
    sides: [side(0), side(1)],
    names: [left.name, right.name],
    keys,
    areDefaultKeys: join.on.length === 0,
    type: join.type,
    outputs,
    grouped: groupedBy(spec),
    sort: (spec.sort ?? []).map((word) => sortKey(word, outputs, names)),
    ...(spec.limit === undefined ? {} : { limit: spec.limit }),
    aliases: aliasesOf(outputs, names),
  };
}

function aliasesOf(outputs: readonly JoinOutput[], names: JoinNames): Map<string, string> {
  return new Map(
    outputs.flatMap(({ source, from }) =>
      names.spellings(from).map((spelling) => [spelling.toLowerCase(), source?.name ?? ""] as const),
    ),
  );
}

interface SideNeeds {
  readonly keys: readonly JoinKey[];
  readonly outputs: readonly JoinOutput[];
  readonly where: readonly Predicate[];
}

function sideQuery(at: Side, experiment: Experiment, { keys, outputs, where }: SideNeeds): LogicalPlan {
  const shown = outputs.flatMap(({ from }) => (from.kind === "variable" && from.side === at ? [from.variable] : []));
  return rowsQuery([...new Set([...keys.map(({ of }) => of[at]), ...shown])], where, experiment);
}

function outputsOf(spec: QuerySpec, experiments: Experiments, names: JoinNames): JoinOutput[] {
  const results = (spec.results ?? []).map((name) => names.find(name));
  if (!groupedBy(spec)) return named(results.length > 0 ? results : allColumns(experiments, names), names);
  const by = (spec.by ?? []).map((name) => names.find(name));
  return [...named(by, names), ...statisticOutputs(spec, results, experiments, names)];
}

/** The keys, then the other variables of both experiments. */
function allColumns(experiments: Experiments, names: JoinNames): JoinColumn[] {
  const keys = names.keys.map((_, at): JoinColumn => ({ kind: "key", at }));
  const isKey = (side: Side, variable: Variable): boolean => names.keys.some(({ of }) => of[side] === variable);
  const rest = ([0, 1] as const).flatMap((side) =>
    experiments[side].variables
      .filter((variable) => !isKey(side, variable))
      .map((variable): JoinColumn => ({ kind: "variable", side, variable })),
  );
  return [...keys, ...rest];
}

function named(columns: readonly JoinColumn[], names: JoinNames): JoinOutput[] {
  const outputs = columns.map((from): JoinOutput => {
    const variable = names.variableOf(from);
    return { variable, source: variable, from };
  });
  return [...new Map(outputs.map((output) => [output.variable.name, output])).values()];
}

/** Without results, all results that allow the statistic; a count without results counts joined rows. */
function statisticOutputs(
  spec: QuerySpec,
  results: readonly JoinColumn[],
  experiments: Experiments,
  names: JoinNames,
): JoinOutput[] {
  const statistics = selectedStatistics((spec.statistics ?? []).map(parseStatistic), results.length > 0);
  const numbers = allColumns(experiments, names).filter(
    (from) => from.kind === "variable" && from.variable.role === "result" && isNumber(from.variable),
  );
  const outputs = statistics.flatMap((statistic): JoinOutput[] => {
    if (results.length === 0 && statistic.kind === "count")
      return [{ variable: rowCount.variable, from: { kind: "rows" }, statistic }];
    return (results.length > 0 ? results : numbers).map((from) => {
      const source = names.variableOf(from);
      return { variable: statisticOf(statistic, source), source, from, statistic };
    });
  });
  return [...new Map(outputs.map((output) => [output.variable.name, output])).values()];
}

function isNumber({ type }: Variable): boolean {
  return type === "integer" || type === "float" || type === "duration";
}

function sortKey(word: string, outputs: readonly JoinOutput[], names: JoinNames): JoinPlan["sort"][number] {
  const descending = word.startsWith("-");
  const name = (descending ? word.slice(1) : word).toLowerCase();
  const output = outputs.findIndex(({ variable, from, statistic }) => {
    const suffix = statistic === undefined ? "" : `.${statisticName(statistic)}`;
    return [variable.name, ...names.spellings(from).map((each) => `${each}${suffix}`)].some(
      (each) => each.toLowerCase() === name,
    );
  });
  if (output >= 0) return { output, descending };
  const known = outputs.map(({ variable }) => variable.name).join(", ");
  throw new Failure("unknown-sort-key", { key: word, near: "", known });
}

/**
 * The conditions of each experiment; they select rows before the join. A condition on a key only holds for both. Fails
 * with `join-not-possible` for a condition that combines variables of both by `or`.
 */
function conditionsBySide(texts: readonly string[], names: JoinNames): [Predicate[], Predicate[]] {
  const sides: [Predicate[], Predicate[]] = [[], []];
  for (const part of texts.map(splitCondition).flatMap(conjuncts))
    for (const side of sidesOf(part, names))
      sides[side].push(readConditions(part, (name) => variableIn(side, name, names)));
  return sides;
}

function conjuncts(text: ConditionText): ConditionText[] {
  return typeof text !== "string" && text.junction === "and" ? text.of.flatMap(conjuncts) : [text];
}

function sidesOf(part: ConditionText, names: JoinNames): readonly Side[] {
  const used = new Set<Side>();
  readConditions(part, (name) => {
    const column = names.find(name);
    if (column.kind === "variable") used.add(column.side);
    return column.kind === "variable" ? column.variable : keyOf(column, names).of[0];
  });
  if (used.size === 0) return [0, 1];
  if (used.size === 1) return [...used];
  throw new Failure("join-not-possible", {
    problem: "a condition combines variables of both experiments by 'or'",
    advice: "give a condition for each experiment; all of them must hold",
  });
}

function variableIn(side: Side, name: string, names: JoinNames): Variable {
  const column = names.find(name);
  return column.kind === "variable" ? column.variable : keyOf(column, names).of[side];
}

function keyOf(column: ReturnType<JoinNames["find"]>, { keys }: JoinNames): JoinKey {
  const key = column.kind === "key" ? keys[column.at] : undefined;
  if (key === undefined) throw new RangeError("the column is no key");
  return key;
}

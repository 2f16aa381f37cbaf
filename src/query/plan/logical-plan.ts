import type { chronologies } from "../../core/experiments/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import type { VersionId } from "../../core/versions/index.ts";
import type { SummaryAggregate } from "../statistics/index.ts";
import { always, isAlways, variablesIn, type Predicate } from "./predicate.ts";
import { columnOf, columnsIn, type Quotient, type RowExpression } from "./row-expression.ts";
import type { NearNumbers, RowLimit, RunSlice } from "./row-summary.ts";
import { numberOfRun, rowNumberInRun, runVariable } from "./run-variables.ts";

/**
 * What a database has to compute, with all names resolved. The words of the command line and the sources and operators
 * of described queries both become it, and `compilePlan` compiles it for every engine, for one server or for shards.
 *
 * The steps, in order: the rows of `of` that match all conditions; groups of equal values, if `grouped`; columns;
 * order; limit.
 */
export interface LogicalPlan extends RowConditions {
  /** Source of the rows: experiment rows, one row per run, or the joined rows of other plans. */
  readonly of: RowKind | JoinedRows;
  readonly outputs: readonly Output[];
  /** One row per combination of the outputs without an aggregate. */
  readonly grouped: boolean;
  /** Groups by intervals instead; every output is an aggregate. */
  readonly bins?: NearNumbers;
  /** The first sort keys. Then groups are sorted by their keys, and rows by `order`. */
  readonly sort: readonly SortKey[];
  /** Groups come in any order. */
  readonly unordered?: true;
  /** The order of rows; default: as imported, and for joined rows that of the joined plans, the first one first. */
  readonly order?: readonly RowOrder[];
  readonly limit?: number;
}

export type RowKind = "data" | "runs";

/** All must hold. Those on runs and versions refer to experiments, not to joined rows. */
interface RowConditions {
  readonly where: readonly Predicate[];
  readonly limits?: readonly RowLimit[];
  readonly runs?: readonly number[];
  readonly versions?: readonly VersionId[];
  /** Include deleted runs. */
  readonly deleted?: boolean;
  /** Only rows with these numbers in their run, both ends inclusive. */
  readonly ordinals?: { readonly first: number; readonly last: number };
  /** Only rows of slices of the runs that match the other conditions but `limits`, in the order of a run variable. */
  readonly slice?: {
    readonly of: readonly RunSlice[];
    readonly by: Variable;
    readonly limits: readonly RowLimit[];
  };
}

/** Rows of several plans, joined where all pairs of expressions are equal; missing values are equal. */
export interface JoinedRows {
  readonly plans: readonly LogicalPlan[];
  /** The pairs of each plan but the first: of previous plans (`from` is their index), and its own. */
  readonly on: readonly (readonly { readonly before: RowExpression; readonly own: RowExpression }[])[];
  /** Omits rows in which all quotients of a list divide by zero. */
  readonly quotients: readonly (readonly Quotient[])[];
}

/** One column of the result. */
export interface Output {
  /** Name, type and unit of the column. */
  readonly variable: Variable;
  /** What it is computed from; absent for the number of rows, and for columns that no database computes. */
  readonly of?: RowExpression;
  /** Absent: the value itself. */
  readonly aggregate?: SummaryAggregate;
}

export interface SortKey {
  /** Index into the outputs. */
  readonly output: number;
  readonly descending: boolean;
}

/** Missing values come last. */
export interface RowOrder {
  readonly of: RowExpression;
  readonly descending: boolean;
}

/** A column with the values of a variable. */
export function valueOutput(variable: Variable): Output {
  return { variable, of: columnOf(variable) };
}

/** The variable whose values or statistic a column has; undefined for computed ones and for the number of rows. */
export function sourceOf({ of }: Pick<Output, "of">): Variable | undefined {
  return of?.kind === "column" ? of.variable : undefined;
}

/** All variables of the source that a plan uses. */
export function usedIn(plan: LogicalPlan): Variable[] {
  const { outputs, where, limits = [], slice, order = [], bins } = plan;
  const computed = [...outputs, ...limits, ...(slice?.limits ?? []), ...order, ...(bins ? [bins] : [])];
  return [
    ...computed.flatMap(({ of }) => (of === undefined ? [] : columnsIn(of).map(({ variable }) => variable))),
    ...where.flatMap(variablesIn),
    ...(slice === undefined ? [] : [slice.by]),
  ];
}

/** The order of runs in a source of a described query. */
export type Chronology = (typeof chronologies)[number];

/** The run variable that orders runs; ties by number. */
export function chronologyVariable(chronology: Chronology): Variable {
  return chronology === "number" ? numberOfRun : runVariable(chronology);
}

export interface RunRows {
  readonly of: RowKind;
  readonly where?: Predicate;
  readonly chronology?: Chronology;
  /** Orders the rows of a run, which are otherwise in the order of the import. */
  readonly key?: { readonly variable: Variable; readonly descending: boolean };
}

/** The rows of all active runs, run by run: the number of the run, then the values of the variables. */
export function runRows(
  variables: readonly Variable[],
  { of, where = always, chronology = "created", key }: RunRows,
): LogicalPlan {
  const runs = [...new Set([chronologyVariable(chronology), numberOfRun])].map(ascending);
  const inRun = key === undefined ? [] : [{ of: columnOf(key.variable), descending: key.descending }];
  return {
    of,
    where: isAlways(where) ? [] : [where],
    outputs: [numberOfRun, ...variables].map(valueOutput),
    grouped: false,
    sort: [],
    order: [...runs, ...inRun, ...asImported(of).slice(1)],
  };
}

/** The order of the import. */
export function asImported(of: RowKind): RowOrder[] {
  return [numberOfRun, ...(of === "data" ? [rowNumberInRun] : [])].map(ascending);
}

function ascending(variable: Variable): RowOrder {
  return { of: columnOf(variable), descending: false };
}

/** The distinct values of a variable, ascending. */
export function distinctValuesPlan(variable: Variable, condition: Predicate = always): LogicalPlan {
  return {
    of: variable.occurrence === "multiple" ? "data" : "runs",
    where: [{ kind: "notnull", variable }, ...(isAlways(condition) ? [] : [condition])],
    outputs: [valueOutput(variable)],
    grouped: true,
    sort: [],
  };
}

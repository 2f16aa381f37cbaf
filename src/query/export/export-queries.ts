import type { Experiment } from "../../core/experiments/index.ts";
import { Failure } from "../../core/failures/index.ts";
import type { Quantity } from "../../core/measurements/index.ts";
import {
  conversion,
  formatUnit,
  parseUnit,
  sameDimension,
  type Conversion,
  type Unit,
} from "../../core/values/index.ts";
import { findVariable, type Variable } from "../../core/variables/index.ts";
import {
  isReplicateIndex,
  variablesIn,
  type Predicate,
  plan,
  type Output,
  type LogicalPlan,
  numberOfRun,
  sourceOf,
  valueOutput,
} from "../plan/index.ts";

/** The roles of variables in a benchmark format. */
export interface ExportRoles {
  /** The variable that names the benchmark; absent: none. */
  readonly benchmark?: Variable;
  readonly parameters: readonly Variable[];
  /** Variables that occur once per run. */
  readonly facts: readonly Variable[];
  readonly results: readonly ExportedResult[];
}

/** A result with its exported quantity. */
interface ExportedResult {
  readonly variable: Variable;
  readonly quantity: Quantity;
  /** Conversion to the unit of the quantity. */
  readonly factor: Conversion;
}

/**
 * By default the variable `benchmark` names the benchmark, else the first text parameter of rows. Numeric results of
 * rows are the results; those of runs only without others. A replicate index is no parameter unless selected by name.
 * Fails with `unknown-variable`, `no-numbers`.
 */
export function exportRoles(
  experiment: string,
  variables: readonly Variable[],
  options: { readonly benchmark?: string; readonly variables: readonly string[] },
): ExportRoles {
  const rows = variables.some(isRowResult) ? variables.filter(isRowResult) : variables.filter(isResult);
  if (rows.length === 0) throw new Failure("no-numbers", { experiment });
  const benchmark = benchmarkOf(experiment, variables, options.benchmark);
  const rest = variables.filter((variable) => variable !== benchmark && !rows.includes(variable));
  const asked = new Set(options.variables.map((name) => name.toLowerCase()));
  const isCount = (variable: Variable): boolean =>
    isReplicateIndex(variable) && !asked.has(variable.name.toLowerCase());
  return {
    ...(benchmark === undefined ? {} : { benchmark }),
    parameters: rest.filter(
      (variable) => variable.role === "parameter" && variable.occurrence === "multiple" && !isCount(variable),
    ),
    facts: rest.filter(({ occurrence }) => occurrence === "once"),
    results: rows.map(resultOf),
  };
}

/**
 * The variables that an export needs: the selected ones, all parameters or all results if none of them is selected, and
 * the benchmark name. Empty: all.
 */
export function exportedNames(
  { variables }: Pick<Experiment, "variables">,
  options: { readonly benchmark?: string; readonly variables: readonly string[] },
): string[] {
  if (options.variables.length === 0) return [];
  const named = options.variables.flatMap((name) => findVariable(variables, name) ?? []);
  const lacking = (["parameter", "result"] as const).filter((role) =>
    named.every((variable) => variable.role !== role),
  );
  const more = variables.filter(({ role }) => lacking.includes(role)).map(({ name }) => name);
  const benchmark = options.benchmark ?? variables.find(({ name }) => name.toLowerCase() === "benchmark")?.name;
  return [...options.variables, ...more, ...(benchmark === undefined ? [] : [benchmark])];
}

function isResult({ role, type }: Variable): boolean {
  return role === "result" && (type === "integer" || type === "float" || type === "duration");
}

function isRowResult(variable: Variable): boolean {
  return isResult(variable) && variable.occurrence === "multiple";
}

function benchmarkOf(
  experiment: string,
  variables: readonly Variable[],
  options: string | undefined,
): Variable | undefined {
  if (options !== undefined) {
    const found = findVariable(variables, options);
    if (found !== undefined) return found;
    throw new Failure("unknown-variable", {
      experiment,
      variable: options,
      near: "",
      known: variables.map(({ name }) => name).join(", "),
    });
  }
  const parameters = variables.filter(({ role }) => role === "parameter");
  return (
    findVariable(parameters, "benchmark") ??
    parameters.find(({ occurrence, type }) => occurrence === "multiple" && (type === "string" || type === "text"))
  );
}

function resultOf(variable: Variable): ExportedResult {
  const { name, better, synopsis } = variable;
  const unit = variable.type === "duration" ? parseUnit("s") : variable.unit;
  const base = baseUnit(unit);
  return {
    variable,
    factor: conversion(unit, base),
    quantity: {
      name,
      unit: formatUnit(base),
      ...(better === undefined ? {} : { better }),
      ...(synopsis === undefined ? {} : { synopsis }),
    },
  };
}

/** The unit without prefixes, times in seconds. */
function baseUnit(unit: Unit | undefined): Unit {
  const known = ["s", "1/s"].map(parseUnit).find((each) => sameDimension(each, unit));
  return known ?? { factors: (unit?.factors ?? []).map((factor) => ({ ...factor, prefix: "" })) };
}

/** Names of the selected variables (none: all), and conditions; all must hold. */
export interface ExportOptions {
  readonly variables: readonly string[];
  readonly where: readonly string[];
}

/** Queries for run values and for rows; both start with the run number. */
export interface RunQueries {
  readonly once: LogicalPlan;
  /** Absent without row variables. */
  readonly rows?: LogicalPlan;
  /** A condition is on rows: runs without matching rows are omitted. */
  readonly needsRows: boolean;
}

/**
 * One row per experiment row with the values of its run repeated; the run number comes first if all variables are
 * selected.
 */
export function flatQuery(question: ExportOptions, experiment: Experiment): LogicalPlan {
  const options = planExport(question, experiment);
  if (question.variables.length > 0) return options;
  return { ...options, outputs: [numberOf(options.outputs), ...options.outputs] };
}

/** Fails with `unknown-variable`, `bad-condition`, like `plan`. */
export function runQueries(question: ExportOptions, experiment: Experiment): RunQueries {
  const options = planExport(question, experiment);
  const number = numberOf(options.outputs);
  const part = (occurrence: "once" | "multiple"): Output[] =>
    options.outputs.filter((output) => {
      const source = sourceOf(output);
      return source?.occurrence === occurrence && source !== numberOfRun;
    });
  const isOnce = (conditions: Predicate): boolean =>
    variablesIn(conditions).every(({ occurrence }) => occurrence === "once");
  const needsRows = !options.where.every(isOnce);
  const hasRows = needsRows || part("multiple").length > 0;
  return {
    once: { ...options, of: "runs", outputs: [number, ...part("once")], where: options.where.filter(isOnce) },
    ...(hasRows ? { rows: { ...options, of: "data", outputs: [number, ...part("multiple")] } } : {}),
    needsRows,
  };
}

function planExport({ variables, where }: ExportOptions, experiment: Experiment): LogicalPlan {
  return plan({ results: variables, where }, experiment);
}

/** The run number, as `@run` if the experiment has a variable `run`. */
function numberOf(outputs: readonly Output[]): Output {
  const isTaken = outputs.some(
    (output) => output.variable.name.toLowerCase() === "run" && sourceOf(output) !== numberOfRun,
  );
  const named = valueOutput(numberOfRun);
  return isTaken ? { ...named, variable: { ...numberOfRun, name: "@run" } } : named;
}

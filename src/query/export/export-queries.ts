import type { Experiment } from "../../core/experiments/experiment.ts";
import { Failure } from "../../core/failures/failure.ts";
import type { Quantity } from "../../core/measurements/measurement.ts";
import { conversion, formatUnit, parseUnit, sameDimension, type Conversion, type Unit } from "../../core/values/unit.ts";
import { findVariable, type Variable } from "../../core/variables/variable.ts";
import { variablesOf, type Conditions } from "../plan/condition.ts";
import { plan, type Output, type Query } from "../plan/query.ts";
import { runVariables } from "../plan/run-variables.ts";

/** What the variables of an export are to a format of benchmarks. */
export interface ExportRoles {
  /** What names the benchmark; absent: nothing does. */
  readonly benchmark?: Variable;
  readonly parameters: readonly Variable[];
  /** What holds for whole runs. */
  readonly facts: readonly Variable[];
  readonly results: readonly ExportedResult[];
}

/** A result with what it is called elsewhere. */
interface ExportedResult {
  readonly variable: Variable;
  readonly quantity: Quantity;
  /** Makes its numbers those of the quantity. */
  readonly factor: Conversion;
}

/**
 * Counts samples of one benchmark in what importers of known formats write: it is no parameter, unless it is asked for
 * by name.
 */
const sampleName = "sample";

/**
 * By default the variable `benchmark` names the benchmark, else the first parameter of data sets that is a text.
 * Numeric results of data sets are the results, those of runs only where there are no others. Fails with
 * `unknown-variable`, `no-numbers`.
 */
export function exportRoles(
  experiment: string,
  variables: readonly Variable[],
  asked: { readonly benchmark?: string; readonly variables: readonly string[] },
): ExportRoles {
  const rows = variables.some(isRowResult) ? variables.filter(isRowResult) : variables.filter(isResult);
  if (rows.length === 0) throw new Failure("no-numbers", { experiment });
  const benchmark = benchmarkOf(experiment, variables, asked.benchmark);
  const rest = variables.filter((variable) => variable !== benchmark && !rows.includes(variable));
  const isAsked = asked.variables.some((name) => name.toLowerCase() === sampleName);
  const isCount = ({ name, type }: Variable): boolean => name === sampleName && type === "integer" && !isAsked;
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
 * The variables that an export needs: those that are named, and all parameters or all results where none of them is
 * named, and what names the benchmark. None named: all.
 */
export function exportedNames(
  { variables }: Pick<Experiment, "variables">,
  asked: { readonly benchmark?: string; readonly variables: readonly string[] },
): string[] {
  if (asked.variables.length === 0) return [];
  const named = asked.variables.flatMap((name) => findVariable(variables, name) ?? []);
  const lacking = (["parameter", "result"] as const).filter((role) =>
    named.every((variable) => variable.role !== role),
  );
  const more = variables.filter(({ role }) => lacking.includes(role)).map(({ name }) => name);
  const benchmark = asked.benchmark ?? variables.find(({ name }) => name.toLowerCase() === "benchmark")?.name;
  return [...asked.variables, ...more, ...(benchmark === undefined ? [] : [benchmark])];
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
  asked: string | undefined,
): Variable | undefined {
  if (asked !== undefined) {
    const found = findVariable(variables, asked);
    if (found !== undefined) return found;
    throw new Failure("unknown-variable", {
      experiment,
      variable: asked,
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

/** Without prefixes, times in seconds. */
function baseUnit(unit: Unit | undefined): Unit {
  const known = ["s", "1/s"].map(parseUnit).find((each) => sameDimension(each, unit));
  return known ?? { factors: (unit?.factors ?? []).map((factor) => ({ ...factor, prefix: "" })) };
}

/** Names of the variables asked for (none: all), and conditions that must hold. */
export interface ExportOptions {
  readonly variables: readonly string[];
  readonly where: readonly string[];
}

/** Runs with their own contents, and their data sets; both begin with the number of the run. */
export interface RunQueries {
  readonly once: Query;
  /** Absent when no variable is asked for that data sets have. */
  readonly rows?: Query;
  /** A condition looks at data sets: runs without any that fits are none of the answer. */
  readonly needsRows: boolean;
}

/**
 * One row per data set with the contents of its run repeated; where all is asked for, the number of the run comes
 * first.
 */
export function flatQuery(question: ExportOptions, experiment: Experiment): Query {
  const asked = planExport(question, experiment);
  if (question.variables.length > 0) return asked;
  return { ...asked, outputs: [numberOf(asked.outputs), ...asked.outputs] };
}

/** Fails with `unknown-variable`, `bad-condition`, like `plan`. */
export function runQueries(question: ExportOptions, experiment: Experiment): RunQueries {
  const asked = planExport(question, experiment);
  const number = numberOf(asked.outputs);
  const part = (occurrence: "once" | "multiple"): Output[] =>
    asked.outputs.filter(({ source }) => source?.occurrence === occurrence && source !== number.source);
  const isOnce = (conditions: Conditions): boolean =>
    variablesOf(conditions).every(({ occurrence }) => occurrence === "once");
  const needsRows = !asked.where.every(isOnce);
  const hasRows = needsRows || part("multiple").length > 0;
  return {
    once: { ...asked, of: "runs", outputs: [number, ...part("once")], where: asked.where.filter(isOnce) },
    ...(hasRows ? { rows: { ...asked, of: "data", outputs: [number, ...part("multiple")] } } : {}),
    needsRows,
  };
}

function planExport({ variables, where }: ExportOptions, experiment: Experiment): Query {
  return plan({ results: variables, where }, experiment);
}

/** `@run` where the experiment has a variable of that name. */
function numberOf(outputs: readonly Output[]): Output {
  const source = runVariables.find(({ name }) => name === "run");
  if (source === undefined) throw new RangeError("runs have no number");
  const isTaken = outputs.some(
    ({ variable, source: other }) => variable.name.toLowerCase() === "run" && other !== source,
  );
  return { variable: isTaken ? { ...source, name: "@run" } : source, source };
}

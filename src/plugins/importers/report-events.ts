import {
  directionOfMetric,
  type BenchmarkReport,
  type BenchmarkResult,
  type ReportMetric,
} from "../../core/measurements/index.ts";
import { findUnit, type DataType, type Value } from "../../core/values/index.ts";
import { VariableNames, type Variable } from "../../core/variables/index.ts";
import type { ImportEvent } from "./importer.ts";
import { ResultParts, type Cells } from "./report-parts.ts";
import { ReportRows } from "./report-rows.ts";

/** Approximate number of cells per table; tables are written one after the other. */
const cellsAtOnce = 1 << 20;

/** For larger results only the first row, which has values of its own, is merged with those of others. */
const manyRows = 8192;

/** Columns of every report, and the column of sample numbers if there are lists. */
const benchmarkName = "benchmark";
const sampleName = "sample";

/**
 * Emits a report as one run: a row per sample of a result, or one row without samples. Single numbers are in the
 * first row of their result. Columns are `benchmark`, the parameters, `sample` (from 1) if there are samples, and the
 * metrics.
 */
export function* reportEvents(report: BenchmarkReport): Generator<ImportEvent> {
  const { facts = new Map<string, Value>(), performed, commit, results, notices = [] } = report;
  const columns = new ReportColumns(report);
  const once = [...facts]
    .filter(([, value]) => value !== null)
    .map(([name, value]) => [columns.once(name, value), value] as const);
  yield { kind: "declare", variables: [...once.map(([variable]) => variable), ...columns.variables] };
  for (const text of notices) yield { kind: "notice", line: 1, text };
  if (performed !== undefined || commit !== undefined)
    yield {
      kind: "about",
      ...(performed === undefined ? {} : { performed }),
      ...(commit === undefined ? {} : { commit }),
    };
  if (once.length > 0) yield { kind: "once", values: new Map(once.map(([{ name }, value]) => [name, value])) };
  const rowsAtOnce = Math.ceil(cellsAtOnce / columns.variables.length);
  const together = new ReportRows(columns, Math.min(rowsAtOnce + manyRows, mergedRowCount(results)));
  const parts = new ResultParts(columns.variables, rowsAtOnce);
  for (const result of results) {
    const samples = samplesOf(result);
    const rows = Math.max(1, samples);
    const first = rows > manyRows ? 1 : rows;
    together.append(result, first, samples >= 0);
    if (together.length >= rowsAtOnce || first < rows) yield { kind: "rows", table: together.take() };
    if (first === rows) continue;
    for (const table of parts.of(columns.cells(result, rows), [first, rows])) yield { kind: "rows", table };
  }
  if (together.length > 0) yield { kind: "rows", table: together.take() };
  yield { kind: "end" };
}

class ReportColumns {
  readonly variables: readonly Variable[];
  readonly parameters: readonly string[];
  readonly metrics: readonly ReportMetric[];
  readonly hasSamples: boolean;
  readonly #names = new VariableNames();
  #counted = new Float64Array();

  constructor({ metrics, results }: BenchmarkReport) {
    this.hasSamples = results.some((result) => samplesOf(result) >= 0);
    const byParameter = valuesByParameter(results);
    this.parameters = [...byParameter.keys()];
    this.metrics = metrics;
    const benchmark = this.#variable(benchmarkName, { role: "parameter", type: "string" });
    const sample = this.hasSamples
      ? [this.#variable(sampleName, { role: "parameter", type: "integer", default: null })]
      : [];
    const measured = metrics.map((metric) => this.#variable(metric.name, describedMetric(metric)));
    const varied = [...byParameter].map(([name, values]) =>
      this.#variable(name, { role: "parameter", type: typeOf(values), default: null }),
    );
    this.variables = [benchmark, ...varied, ...sample, ...measured];
  }

  /** The variable of a fact. */
  once(name: string, value: Value): Variable {
    return { ...this.#variable(name, { role: "parameter", type: typeOf([value]), default: null }), occurrence: "once" };
  }

  /** The cells of the `rows` rows of a result after the first. */
  cells({ benchmark, parameters, values }: BenchmarkResult, rows: number): Cells[] {
    const varied = this.parameters.map((_, at) => ({ same: this.parameterValue(at, parameters) }));
    const measured = this.metrics.map(({ name }): Cells => {
      const value = values.get(name);
      if (value === undefined || typeof value === "number") return { same: null };
      return { list: value instanceof Float64Array ? value : Float64Array.from(value) };
    });
    return [{ same: benchmark }, ...varied, { list: this.#numbers(rows) }, ...measured];
  }

  /** The value of the parameter with this index. */
  parameterValue(at: number, parameters: BenchmarkResult["parameters"]): Value {
    const value = parameters?.get(this.parameters[at]!) ?? null;
    return value !== null && this.variables[at + 1]!.type === "string" ? String(value) : value;
  }

  /** From 1. */
  #numbers(count: number): Float64Array {
    if (this.#counted.length < count) this.#counted = Float64Array.from({ length: count }, (_, at) => at + 1);
    return this.#counted.subarray(0, count);
  }

  #variable(text: string, rest: Pick<Variable, "role" | "type"> & Partial<Variable>): Variable {
    return { name: this.#names.of(text), occurrence: "multiple", ...rest };
  }
}

/** The number of rows that are merged with those of other results. */
function mergedRowCount(results: readonly BenchmarkResult[]): number {
  let rows = 0;
  for (const result of results) {
    const samples = samplesOf(result);
    rows += samples > manyRows ? 1 : Math.max(1, samples);
  }
  return rows;
}

/** The length of the longest list of samples; -1: only single numbers. */
function samplesOf({ values }: BenchmarkResult): number {
  let samples = -1;
  for (const value of values.values()) if (typeof value !== "number" && value.length > samples) samples = value.length;
  return samples;
}

/** Parameters of all results in the order of their first appearance, with their values. */
function valuesByParameter(results: readonly BenchmarkResult[]): Map<string, Value[]> {
  const values = new Map<string, Value[]>();
  for (const { parameters = new Map<string, Value>() } of results)
    for (const [name, value] of parameters) {
      const known = values.get(name);
      if (known === undefined) values.set(name, [value]);
      else if (known.at(-1) !== value) known.push(value);
    }
  return values;
}

/** The type that fits all values of a parameter. */
function typeOf(values: readonly Value[]): DataType {
  const there = values.filter((value) => value !== null);
  if (there.length === 0) return "string";
  if (there.every((value) => typeof value === "boolean")) return "boolean";
  // Never integer: the next report may have a fraction.
  return there.every((value) => typeof value === "number") ? "float" : "string";
}

function describedMetric(metric: ReportMetric): Omit<Variable, "name" | "occurrence"> {
  const { name, unit = "", synopsis, whole } = metric;
  const known = findUnit(unit);
  const better = metric.better ?? directionOfMetric(name, known);
  const text =
    known === undefined ? [synopsis, `in ${unit}`].filter((part) => part !== undefined).join(", ") : synopsis;
  return {
    role: "result",
    type: whole === true ? "integer" : "float",
    default: null,
    ...(known === undefined || known.factors.length === 0 ? {} : { unit: known }),
    ...(text === undefined ? {} : { synopsis: text }),
    ...(better === undefined ? {} : { better }),
  };
}

import { Failure } from "../../core/failures/index.ts";
import { type Direction, machineClass, type MetricDirection, metricDirection } from "../../core/measurements/index.ts";
import {
  isList,
  isObject,
  JsonNumber,
  groupBy,
  type Json,
  type JsonObject,
  readFloat,
  type Unit,
} from "../../core/values/index.ts";
import { distinctStatuses, knownUnit, type Measured, type Measurements } from "../../core/verdicts/index.ts";
import { readJson } from "../json/index.ts";
import { separatedLines } from "../text/index.ts";
import { goTestText, isGoBenchmark, readGoBenchmarks, type GoBenchmarks, type GoResult } from "./go-benchmark.ts";

/** Units of rates, for which higher values are better. */
const rate = /\/s(?:ec)?$/;

/** One value of a benchmark. */
interface Entry {
  readonly benchmark: string;
  readonly value: number;
  readonly unit: string;
  readonly better?: "lower" | "higher";
  readonly exact?: boolean;
  /** The exit status of the run. */
  readonly status?: number;
}

/**
 * Reads a file of samples in an auto-detected format: Go benchmark results, hyperfine's JSON (`--export-json`), JSON
 * lines with `benchmark`, `value` and optionally `unit`, or CSV with such columns. Fails with `no-measurements`,
 * `not-json`, `damaged-report`, `bad-series`, `bad-measurement`.
 */
export function readSampleFile(bytes: Uint8Array, file: string): Measurements {
  const text = goTestText(new TextDecoder().decode(bytes).split(/\r?\n/));
  if (text.trim() === "") throw new Failure("no-measurements", { file, reason: "it is empty" });
  const go = isGoBenchmark(text) ? readGoBenchmarks(text) : null;
  const entries = go
    ? goEntries(go)
    : text.trimStart().startsWith("{")
      ? jsonEntries(bytes, text, file)
      : tableEntries(text, file);
  if (entries.length === 0) throw new Failure("no-measurements", { file, reason: "it has no benchmark values" });
  return { name: file, measured: groupEntries(entries, file), machines: go ? machinesOf(go) : [], version: null };
}

/** The machine classes in Go's configuration lines. */
function machinesOf({ results }: GoBenchmarks): string[] {
  return [...new Set(results.flatMap(({ configuration }) => machineClass(configuration) ?? []))];
}

function groupEntries(entries: readonly Entry[], file: string): Measured[] {
  const own = groupBy(entries, ({ benchmark, unit }) => `${benchmark}\u0000${unit}`);
  return [...own.values()].map((each) => seriesOf(each, file));
}

/** Lower is better of costs `/op`; units of one's own, such as `hits`, are like names of metrics. */
function directionOf(unitText: string, unit: Unit | undefined, better?: Direction): MetricDirection {
  const isCost = better === undefined && unitText.endsWith("/op");
  return metricDirection(unitText || "value", unit, isCost ? "lower" : better);
}

/** `entries`: those of one benchmark and unit, at least one. */
function seriesOf(entries: readonly Entry[], file: string): Measured {
  const { benchmark, unit: unitText, better, exact } = entries[0] as Entry;
  if (benchmark === "") throw new Failure("no-measurements", { file, reason: "a benchmark has no name" });
  const unit = knownUnit(unitText);
  const subject = {
    source: "file" as const,
    key: JSON.stringify([benchmark, unitText]),
    benchmark,
    metric: unitText || "value",
    unit,
    ...directionOf(unitText, unit, better ?? (rate.test(unitText) ? "higher" : undefined)),
  };
  const statuses = distinctStatuses(entries.flatMap(({ status }) => status ?? []));
  return {
    subject,
    unitText,
    groups: [Float64Array.from(entries, ({ value }) => value)],
    ...(exact === true ? { exact } : {}),
    ...(statuses.length > 0 ? { statuses } : {}),
  };
}

/** Names include the package if the file has several. */
function goEntries({ results, units }: GoBenchmarks): Entry[] {
  const packageOf = ({ configuration }: GoResult): string => configuration.get("pkg") ?? "";
  const isOfSeveral = new Set(results.map(packageOf)).size > 1;
  return results.flatMap((result) =>
    result.values.map(({ value, unit }) => {
      const benchmark = isOfSeveral ? `${packageOf(result)}.${result.name}` : result.name;
      return { ...units.get(unit), benchmark, value, unit };
    }),
  );
}

function jsonEntries(bytes: Uint8Array, text: string, file: string): Entry[] {
  const lines = text.split(/\r?\n/).flatMap((line, at) => (line.trim() === "" ? [] : [{ line, at: at + 1 }]));
  if (isLine(lines[0]?.line ?? "", file))
    return lines.map(({ line, at }) => lineEntry(readJson(new TextEncoder().encode(line), `${file}:${at}`), file, at));
  const document = readJson(bytes, file);
  const results = isObject(document) ? document.get("results") : undefined;
  if (!isList(results)) throw new Failure("no-measurements", { file, reason: "it is JSON without hyperfine results" });
  return results.flatMap((result, at) => hyperfineEntries(result, at + 1, file));
}

/** Whether a line is a complete JSON object with a benchmark and a value. */
function isLine(line: string, file: string): boolean {
  if (!line.trimEnd().endsWith("}") || !line.includes('"value"')) return false;
  const json = readJson(new TextEncoder().encode(line), file);
  return isObject(json) && json.has("benchmark") && json.has("value");
}

/** `number`: of the result, from 1. */
function hyperfineEntries(json: Json, number: number, file: string): Entry[] {
  const result: JsonObject = isObject(json) ? json : new Map();
  const [command, times, codes] = ["command", "times", "exit_codes"].map((name) => result.get(name));
  if (typeof command !== "string" || !isList(times))
    throw new Failure("damaged-report", { file, problem: `its result ${number} has no command or no times` });
  return times.map((time, at) => {
    const [value, status] = [numberOf(time), isList(codes) ? numberOf(codes[at]) : undefined];
    if (value === undefined)
      throw new Failure("damaged-report", { file, problem: `time ${at + 1} of '${command}' is no number` });
    return { benchmark: command, value, unit: "s", ...(status === undefined ? {} : { status }) };
  });
}

function lineEntry(json: Json, file: string, line: number): Entry {
  const fields = isObject(json) ? json : new Map<string, Json>();
  const [benchmark, unit = "", value] = [fields.get("benchmark"), fields.get("unit"), numberOf(fields.get("value"))];
  if (typeof benchmark !== "string" || typeof unit !== "string" || value === undefined)
    throw new Failure("bad-measurement", { file, line, reason: "it has no benchmark and value" });
  return { benchmark, value, unit };
}

function numberOf(json: Json | undefined): number | undefined {
  const value = json instanceof JsonNumber ? Number(json.text) : Number.NaN;
  return Number.isFinite(value) ? value : undefined;
}

function tableEntries(text: string, file: string): Entry[] {
  const lines = separatedLines(text, file);
  const head = (lines.next().value?.cells ?? []).map((cell) => cell.toLowerCase());
  const [name, value, unit] = ["benchmark", "value", "unit"].map((column) => head.indexOf(column)) as [
    number,
    number,
    number,
  ];
  if (name < 0 || value < 0)
    throw new Failure("no-measurements", {
      file,
      reason: "it is neither Go benchmark output, nor JSON, nor CSV with the columns benchmark and value",
    });
  return [...lines].map(({ line, cells }) => {
    if (cells.slice(head.length).some((cell) => cell !== "")) {
      const reason = `it has ${cells.length} cells, the first line ${head.length}`;
      throw new Failure("bad-measurement", { file, line, reason });
    }
    const number = readFloat(cells[value] ?? "");
    if (typeof number !== "number" || !Number.isFinite(number))
      throw new Failure("bad-measurement", {
        file,
        line,
        reason: `'${(cells[value] ?? "").slice(0, 40)}' is not a finite number`,
      });
    return { benchmark: cells[name] ?? "", value: number, unit: cells[unit] ?? "" };
  });
}

/** A column of a table of series, without missing values. */
export interface NamedSeries {
  readonly name: string;
  readonly values: Float64Array;
  /** By value: the cell of the first column. */
  readonly labels: readonly string[];
}

/**
 * Reads the series of a CSV table: names in the first line, labels (numbers, commits, times) in the first column, one
 * series per other column. Empty cells and `NaN` are missing values. Fails with `bad-series`.
 */
export function readSeriesTable(text: string, file: string): NamedSeries[] {
  const lines = separatedLines(text, file);
  const names: readonly string[] = (lines.next().value?.cells ?? []).slice(1);
  if (names.length === 0)
    throw new Failure("bad-series", { file, line: 1, reason: "it names no series after the first column" });
  const columns = names.map((name) => ({ name, values: [] as number[], labels: [] as string[] }));
  for (const { line, cells } of lines) {
    if (cells.length > names.length + 1)
      throw new Failure("bad-series", {
        file,
        line,
        reason: `it has ${cells.length} cells, the first line ${names.length + 1}`,
      });
    columns.forEach(({ name, values, labels }, at) => {
      const value = cellNumber(cells[at + 1] ?? "", { file, line, name });
      if (value === undefined) return;
      values.push(value);
      labels.push(cells[0] ?? "");
    });
  }
  return columns.map(({ name, values, labels }) => ({ name, values: Float64Array.from(values), labels }));
}

function cellNumber(
  cell: string,
  { file, line, name }: { file: string; line: number; name: string },
): number | undefined {
  if (cell === "" || cell.toLowerCase() === "nan") return undefined;
  const value = readFloat(cell);
  if (typeof value === "number" && Number.isFinite(value)) return value;
  throw new Failure("bad-series", {
    file,
    line,
    reason: `'${cell.slice(0, 40)}' of series ${name} is not a finite number`,
  });
}

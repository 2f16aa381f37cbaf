import { derivedNames, type Direction, machineFact, metricDirection, type NamedMetric } from "../measurements/index.ts";
import { flatColumns, type FlatColumn, selectColumns } from "../tables/index.ts";
import { isList, isObject, formatUnit, textAt } from "../values/index.ts";
import { parsedUnit, unitsOf } from "./profile-units.ts";
import type { Run } from "./run.ts";

/** The kind of profile rows: only amounts of one kind may be combined or compared. */
export interface RowKind {
  /** Equal in all profiles for the same location, quantity and parameters. */
  readonly key: string;
  /** The flattened uid. */
  readonly uid: string;
  /** Unit of amounts, as the profile spells it; empty: none. */
  readonly unit: string;
  readonly better: Direction;
  /** The profile declares the direction. */
  readonly isDirected: boolean;
  /** Values by column that distinguish it from other kinds of its uid: quantities and parameters. */
  readonly facts: Facts;
}

/** Values by column; columns without a value are absent. */
export type Facts = ReadonlyMap<string, string>;

/** Columns of the measured quantity. */
const quantities = ["type", "subtype", "event"];

/** Columns of benchmark results that are not parameters; `sample` counts the repetitions. */
const measured = new Set([...quantities, "uid", "amount", "order", "better", "sample"]);

/** A date or a time of day at the beginning of a text. */
const time = /^\d{4}-\d\d-\d\d(?:$|[T ])|^\d\d:\d\d:\d\d/;

/** Columns of the built-in generators. */
const generated = ["workload", "length", "lines"];

/**
 * The kind of each row; null: it has no uid. Rows of one kind share the object. `parameters`: columns that also
 * distinguish kinds.
 */
export function rowKinds(run: Run, parameters: readonly string[] = parametersOf(run)): (row: number) => RowKind | null {
  const has = (name: string): boolean => run.data.variables.some((variable) => variable.name === name);
  if (!has("uid")) return () => null;
  const names = [...quantities.filter(has), ...parameters.toSorted()];
  const columns = new Map(
    flatColumns(selectColumns(run.data, ["uid", ...names, ...["better"].filter(has)])).map((column) => [
      column.name,
      column,
    ]),
  );
  const parts = names.flatMap((name) => columns.get(name) ?? []);
  const kinds = new Map<string, RowKind>();
  const units = unitsOf(run);
  return (row) => {
    const uid = columns.get("uid")?.text(row) ?? "";
    if (uid === "") return null;
    const values = parts.map((column) => column.text(row));
    const key = [uid, ...values].join("\0");
    let kind = kinds.get(key);
    if (kind === undefined)
      kinds.set(key, (kind = kindOf(uid, parts, values, columns.get("better")?.text(row), units, run)));
    return kind;
  };
}

function kindOf(
  uid: string,
  parts: readonly FlatColumn[],
  values: readonly string[],
  better: string | undefined,
  units: ReturnType<typeof unitsOf>,
  run: Run,
): RowKind {
  const facts = new Map(
    parts.map(({ name }, at) => [name, values[at] ?? ""] as const).filter(([, value]) => value !== ""),
  );
  const unit =
    units("amount", facts.get("type") ?? "", facts.get("subtype") ?? "") || formatUnit(unitWithoutHeader(run));
  const declared = better === "higher" || better === "lower" ? better : undefined;
  const key = JSON.stringify([uid, [...facts].toSorted(([a], [b]) => (a < b ? -1 : 1))]);
  const isDirected = declared !== undefined;
  const { better: direction } = metricDirection(facts.get("subtype") ?? "", parsedUnit(unit), declared);
  return { key, uid, unit, better: direction, isDirected, facts };
}

/** The unit of amounts of rows without a profile header. */
function unitWithoutHeader(run: Run): ReturnType<typeof parsedUnit> {
  const header = run.extra.get("header");
  const hasUnits = isObject(header) && isObject(header.get("units"));
  return hasUnits ? undefined : run.data.variables.find((variable) => variable.name === "amount")?.unit;
}

/**
 * Subtype of wall-clock times: if a location has it, its other times are ignored, since user and system time are parts
 * of it; their sum is the metric `cpu-time`.
 */
export const wallClock = "real";

/** The name of a quantity in series and comparisons. */
export function metricOfSubtype(subtype: string): string {
  return subtype === wallClock ? "time" : subtype || "amount";
}

/** The distinct subtypes, perhaps with some that no row has. */
export function subtypesOf({ columns, variables }: Run["data"]): string[] {
  const column = columns[variables.findIndex(({ name }) => name === "subtype")];
  if (column === undefined || column.kind === "number") return [];
  return column.dictionary.flatMap((text) => (typeof text === "string" ? [text] : []));
}

/** The parameters by which two runs can be compared: those with a common value, unlike dates or host names. */
export function commonParameters(a: Run, b: Run): string[] {
  const names = new Set(parametersOf(b));
  return parametersOf(a).filter((name) => {
    if (!names.has(name)) return false;
    const known = valuesOf(a, name);
    return [...valuesOf(b, name)].some((value) => known.has(value));
  });
}

function valuesOf({ data }: Run, name: string): Set<string> {
  const column = flatColumns(selectColumns(data, [name])).find((each) => each.name === name);
  const values = new Set<string>();
  for (let row = 0; row < data.length; row++) values.add(column?.text(row) ?? "");
  values.delete("");
  return values;
}

/** Columns with the conditions of a measurement: parameters of the measured program and of generated workloads. */
export function parametersOf(run: Run): string[] {
  return hasBenchmarkResults(run) ? namesIn(run) : generatedIn(run);
}

/** Whether the rows are results of benchmarks, by an input description or by the format that `from` names. */
export function hasBenchmarkResults({ steps }: Run): boolean {
  return steps.some(({ kind, name, params }) => kind === "collector" && (name === "command" || isReport(params)));
}

function isReport(params: Run["steps"][number]["params"]): boolean {
  return textAt(params, "from") !== undefined;
}

/**
 * Which of the metrics of a benchmark only describe others, such as a deviation or the number of iterations
 * (`derivedMetrics`); of other profiles none.
 */
export function derivedQuantities(run: Run): (metrics: readonly NamedMetric[]) => ReadonlySet<string> {
  if (!hasBenchmarkResults(run)) return () => new Set();
  const isOfReport = run.steps.some(({ kind, params }) => kind === "collector" && isReport(params));
  return derivedNames(isOfReport);
}

/**
 * The parameters by which series are distinguished. Facts about the machine are none, and neither are constant texts
 * with digits, which mostly are versions, dates or hosts: they differ from profile to profile. Neither are times.
 */
function conditionsOf(run: Run): string[] {
  if (!hasBenchmarkResults(run)) return generatedIn(run);
  return namesIn(run).filter((name) => {
    if (machineFact(name) !== undefined) return false;
    const column = flatColumns(selectColumns(run.data, [name])).find((each) => each.name === name);
    if (column?.numeric === true) return true;
    const values = [...valuesOf(run, name)];
    const isConstant = values.length < 2 && values.every((value) => /\d/.test(value));
    return !isConstant && !values.every((value) => time.test(value));
  });
}

function generatedIn(run: Run): string[] {
  const generator = run.extra.get("generator");
  const columns = isObject(generator) ? generator.get("columns") : undefined;
  const known = new Set<unknown>(
    isObject(generator) ? [...generated, ...(isList(columns) ? columns : [])] : ["workload"],
  );
  return namesIn(run).filter((name) => known.has(name));
}

function namesIn({ data }: Run): string[] {
  return data.variables.map(({ name }) => name).filter((name) => !measured.has(name));
}

/**
 * The workload of each row: what was generated, or the parameters of a benchmark, by the columns that `counts` accepts,
 * in order of their names; empty: none. Rows of one workload share the object.
 */
export function workloadsOf(run: Run, counts: (column: FlatColumn) => boolean = () => true): (row: number) => Facts {
  const names = conditionsOf(run).toSorted();
  const columns = flatColumns(selectColumns(run.data, names)).filter(
    (column) => names.includes(column.name) && counts(column),
  );
  if (columns.length === 0) return () => nothing;
  const known = new Map<string, Facts>();
  return (row) => {
    const values = columns
      .map((column) => [column.name, column.text(row)] as const)
      .filter(([, value]) => value !== "");
    const key = JSON.stringify(values);
    const facts = known.get(key) ?? new Map(values);
    known.set(key, facts);
    return facts;
  };
}

const nothing: Facts = new Map();

/**
 * Unique names of kinds by key: the uid if it has one kind, else `uid [subtype, N=100]` with the distinguishing values.
 */
export function kindNames(
  kinds: Iterable<RowKind>,
  isNamed: (column: string) => boolean = () => true,
): ReadonlyMap<string, string> {
  const byUid = new Map<string, Map<string, RowKind>>();
  for (const kind of kinds)
    byUid.set(kind.uid, (byUid.get(kind.uid) ?? new Map<string, RowKind>()).set(kind.key, kind));
  const names = new Map<string, string>();
  for (const own of byUid.values()) {
    const all = [...own.values()];
    const words = distinguishingLabels(all.map(({ facts }) => new Map([...facts].filter(([name]) => isNamed(name)))));
    for (const [at, { key, uid }] of all.entries()) names.set(key, `${uid}${words[at]}`);
  }
  return names;
}

/** Like `kindNames`, without the quantity: the location in keys of subjects. */
export function subjectLocations(kinds: Iterable<RowKind>): ReadonlyMap<string, string> {
  return kindNames(kinds, (column) => !quantities.includes(column));
}

/** Labels that distinguish the kinds of a location, ` [subtype, N=100]`, in the order given; "" if nothing differs. */
export function distinguishingLabels(all: readonly Facts[]): string[] {
  const names = [...new Set(all.flatMap((facts) => [...facts.keys()]))];
  const different = names.filter((name) => new Set(all.map((facts) => facts.get(name))).size > 1);
  return all.map((facts) => {
    const words = different.flatMap((name) => {
      const value = facts.get(name);
      return value === undefined ? [] : [quantities.includes(name) ? value : `${name}=${value}`];
    });
    return words.length === 0 ? "" : ` [${words.join(", ")}]`;
  });
}

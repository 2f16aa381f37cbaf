import { type NumberColumn, type Table, type Column, valueAt } from "../../core/tables/index.ts";
import { formatValue, type DataType } from "../../core/values/index.ts";
import { hasUnits, type Variable } from "../../core/variables/index.ts";
import type { VersionId } from "../../core/versions/index.ts";
import {
  type SkippedRows,
  type Measurements,
  measurementsOf,
  type RunMachines,
  type RunVersions,
  type SampleColumns,
} from "./measurements.ts";
import type { MeasuredSubject, SeriesBuilder } from "./series-builder.ts";

/** A code for each row, from 0 in order of first appearance or of a dictionary. */
interface Numbered {
  readonly numbers: Int32Array;
  readonly count: number;
}

/** Codes of cells by text; a missing cell is the empty text. */
interface CellNumbers extends Numbered {
  /** By code, distinct. */
  readonly texts: readonly string[];
}

/** Encodes the cells of a column by text; formats each distinct cell once. */
export function cellNumbers(column: Column, type: DataType): CellNumbers {
  const texts = new DifferentTexts();
  if (column.kind === "interned") return { numbers: new Int32Array(column.codes.length), count: 1, texts: [""] };
  const numbers = new Int32Array(column.kind === "text" ? column.codes.length : column.values.length);
  const known = new Map<unknown, number>();
  for (let row = 0; row < numbers.length; row++) {
    const value = column.kind === "text" ? (column.codes[row] as number) : valueAt(column, row, type);
    // A map does not distinguish 0 and -0.
    const cell = Object.is(value, -0) ? "-0" : value;
    let number = known.get(cell);
    if (number === undefined) {
      number = texts.number(formatValue(valueAt(column, row, type), type));
      known.set(cell, number);
    }
    numbers[row] = number;
  }
  return { numbers, count: texts.all.length, texts: texts.all };
}

/** Combines two codings: rows equal in both have the same code, in order of first rows. */
function pairedNumbers(a: Numbered, b: Numbered): Numbered {
  const numbers = new Int32Array(a.numbers.length);
  const known = new PairNumbers(a.count * b.count, numbers.length);
  for (let row = 0; row < numbers.length; row++)
    numbers[row] = known.of((a.numbers[row] as number) * b.count + (b.numbers[row] as number));
  return { numbers, count: known.count };
}

/** The first row of each code. */
function firstRows({ numbers, count }: Numbered): Int32Array {
  const rows = new Int32Array(count);
  for (let row = numbers.length - 1; row >= 0; row--) rows[numbers[row] as number] = row;
  return rows;
}

class DifferentTexts {
  readonly all: string[] = [];
  readonly #numbers = new Map<string, number>();

  number(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    this.#numbers.set(text, this.all.length);
    return this.all.push(text) - 1;
  }
}

/** Codes of pairs in order of first appearance: an array if few pairs are possible, else a map. */
class PairNumbers {
  count = 0;
  readonly #few: Int32Array | undefined;
  readonly #many = new Map<number, number>();

  constructor(possible: number, rows: number) {
    if (possible <= 4 * rows) this.#few = new Int32Array(possible).fill(-1);
  }

  of(pair: number): number {
    const known = this.#few === undefined ? (this.#many.get(pair) ?? -1) : (this.#few[pair] as number);
    if (known >= 0) return known;
    if (this.#few === undefined) this.#many.set(pair, this.count);
    else this.#few[pair] = this.count;
    return this.count++;
  }
}

/** Describes a table of rows to make series from. Columns of the table: `run`, those of `by`, those of `results`. */
export interface ExperimentColumns {
  readonly experiment: string;
  readonly by: readonly Variable[];
  /** The user selected `by`: names contain all of its values. */
  readonly isChosen?: boolean;
  /** Whether runs differ in a variable of `by`, including runs not in the table; default: whether the table does. */
  readonly differing?: ReadonlyMap<Variable, boolean>;
  /** Names are unique. */
  readonly results: readonly Variable[];
  /** Results that describe others, by their names; default: none. */
  readonly derived?: ReadonlyMap<string, string>;
  readonly versions: RunVersions;
  readonly machines?: RunMachines;
}

/**
 * Adds a point for each parameter set and version, with the results of its runs pooled. `order`: versions, the oldest
 * first. If empty (no history, or no run has a version), each run is a point, in order of run numbers.
 */
export function addExperiment(
  builder: SeriesBuilder,
  columns: ExperimentColumns,
  table: Table,
  order: readonly VersionId[],
): SkippedRows {
  const { experiment, by, isChosen = false, differing = new Map(), results, versions, machines } = columns;
  const runs = table.columns[0]?.kind === "number" ? table.columns[0].values : new Float64Array(table.length);
  const measurements = measurementsOf(experiment, runs, { versions, machines }, order);
  const sets = setsOf({ by, isChosen, differing }, table);
  const rows = inOrder(sets, measurements);
  for (const [at, result] of results.entries()) {
    const column = table.columns[1 + by.length + at];
    if (column?.kind !== "number") continue;
    const { starts, ...samples } = samplesOf(rows, sets, measurements, column);
    const unit = hasUnits(result.type) ? result.unit : undefined;
    for (const [set, name] of sets.texts.entries()) {
      const [from, to] = [starts[set] as number, starts[set + 1] as number];
      const subject = subjectOf(
        columns,
        { name, benchmarkName: sets.benchmarkNames[set]! },
        { name: result.name, unit, better: result.better },
      );
      if (from < to) builder.open(subject)(samples, measurements, from, to);
    }
  }
  return { withoutVersion: measurements.withoutVersion, outsideHistory: measurements.outsideHistory };
}

interface SetText {
  /** With all parameters. */
  readonly name: string;
  /** With varying parameters only. */
  readonly benchmarkName: string;
}

function subjectOf(
  { experiment, derived }: Pick<ExperimentColumns, "experiment" | "derived">,
  set: SetText,
  { name, unit, better }: Pick<MeasuredSubject, "unit" | "better"> & { readonly name: string },
): MeasuredSubject {
  const benchmark = set.benchmarkName === "" ? experiment : `${experiment} ${set.benchmarkName}`;
  const keyOf = (metric: string): string => `experiment ${JSON.stringify([experiment, set.name, metric])}`;
  const of = derived?.get(name);
  return {
    source: "experiment",
    key: keyOf(name),
    benchmark,
    metric: name,
    unit,
    better,
    ...(of === undefined ? {} : { derivedFrom: { metric: of, key: keyOf(of) } }),
  };
}

/**
 * Rows by parameter set. Sets with equal names are merged. Omits run parameters that are equal in all runs from names:
 * a timestamp or host is not a condition unless it varies.
 */
function setsOf(
  { by, isChosen, differing }: Required<Pick<ExperimentColumns, "by" | "isChosen" | "differing">>,
  table: Table,
): CellNumbers & { readonly benchmarkNames: readonly string[] } {
  const cells = by.flatMap((variable, at) => {
    const column = table.columns[1 + at];
    return column === undefined ? [] : [cellNumbers(column, variable.type)];
  });
  const one: Numbered = { numbers: new Int32Array(table.length), count: 1 };
  const all = cells.reduce(pairedNumbers, one);
  const isShown = by.map(
    (variable, at) =>
      isChosen || variable.occurrence === "multiple" || (differing.get(variable) ?? (cells[at]?.count ?? 0) > 1),
  );
  const texts = new Map<string, number>();
  const names: string[] = [];
  const sets = Array.from(firstRows(all), (row) => {
    const name = nameOfSet(by, cells, row);
    const set = texts.get(name) ?? texts.size;
    if (set === texts.size) names.push(nameOfSet(by, cells, row, isShown));
    texts.set(name, set);
    return set;
  });
  return {
    numbers: all.numbers.map((number) => sets[number] as number),
    count: texts.size,
    texts: [...texts.keys()],
    benchmarkNames: names,
  };
}

/**
 * `size=64 Byte, op=write`. Omits missing values, so that names stay stable when the experiment gets another parameter.
 */
function nameOfSet(
  by: readonly Variable[],
  cells: readonly CellNumbers[],
  row: number,
  isShown?: readonly boolean[],
): string {
  return by
    .flatMap(({ name }, at) => {
      const value = cells[at]?.texts[cells[at].numbers[row] as number] ?? "";
      return value === "" || isShown?.[at] === false ? [] : [`${name}=${value}`];
    })
    .join(", ");
}

/** Rows with an origin, by set, each in the order of history. */
function inOrder(sets: Numbered, measurements: Measurements): Int32Array {
  const all = Int32Array.from({ length: sets.numbers.length }, (_, row) => row);
  return countingSorted(
    countingSorted(all, { numbers: measurements.numbers, count: measurements.origins.length }),
    sets,
  );
}

/** Stable sort of rows by number; drops rows with negative numbers. */
function countingSorted(rows: Int32Array, { numbers, count }: Numbered): Int32Array {
  const next = new Int32Array(count + 1);
  for (const row of rows) {
    const number = numbers[row] as number;
    if (number >= 0) next[number + 1] = (next[number + 1] as number) + 1;
  }
  for (let number = 0; number < count; number++)
    next[number + 1] = (next[number + 1] as number) + (next[number] as number);
  const sorted = new Int32Array(next[count] as number);
  for (const row of rows) {
    const number = numbers[row] as number;
    if (number >= 0) sorted[next[number]!++] = row;
  }
  return sorted;
}

/**
 * The samples of a result by set: those of set i are `starts[i]` to before `starts[i + 1]`. Omits non-finite numbers.
 */
function samplesOf(
  rows: Int32Array,
  sets: Numbered,
  measurements: Measurements,
  { values: all, missing }: NumberColumn,
): SampleColumns & { readonly starts: Int32Array } {
  const [profiles, ends, values] = [
    new Int32Array(rows.length),
    new Int32Array(rows.length),
    new Float64Array(rows.length),
  ];
  const starts = new Int32Array(sets.count + 1);
  let [count, end, last] = [0, 0, -1];
  for (const row of rows) {
    const value = all[row] as number;
    if (missing?.[row] === 1 || !Number.isFinite(value)) continue;
    const [set, measurement] = [sets.numbers[row] as number, measurements.numbers[row] as number];
    if (set !== last || profiles[count - 1] !== measurement) profiles[count++] = measurement;
    last = set;
    values[end++] = value;
    ends[count - 1] = end;
    starts[set + 1] = count;
  }
  for (let set = 0; set < sets.count; set++)
    starts[set + 1] = Math.max(starts[set] as number, starts[set + 1] as number);
  return {
    profiles: profiles.slice(0, count),
    ends: ends.slice(0, count),
    values: values.slice(0, end),
    growths: new Map(),
    starts,
  };
}

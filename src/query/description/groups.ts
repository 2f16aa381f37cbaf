import { Failure } from "../../core/failures/index.ts";
import { rowsBy, type Value } from "../../core/values/index.ts";
import { compareInColumn, valueOf, type Vector, type VectorColumn } from "./vector.ts";

/** Rows grouped by the values of some columns. */
export interface Groups {
  /** The distinct values of each column, ascending. */
  readonly values: readonly (readonly Value[])[];
  /** The rows of every combination of values, including empty ones, the first column's value changing fastest. */
  readonly rows: readonly Int32Array[];
}

/** Most combinations: more indicate a wrong choice of parameters. */
const mostGroups = 4_000_000;

export function allRows(length: number): Int32Array {
  return Int32Array.from({ length }, (_, row) => row);
}

/** The rows of each run, in order of the runs' first rows. */
export function rowsByRun({ runs, length }: Vector): Int32Array[] {
  return [...rowsBy(length, (row) => runs[row]).values()].map((rows) => Int32Array.from(rows));
}

/** Without columns all rows are one group. Fails with `query-not-possible` for too many combinations. */
export function groupRows(columns: readonly VectorColumn[], length: number, element: string): Groups {
  const coded = columns.map((column) => codesOf(column, length));
  const count = coded.reduce((product, { values }) => product * values.length, 1);
  if (count > mostGroups) {
    const counts = coded.map(({ values }) => values.length).join(" × ");
    const problem = `its parameters have ${counts} distinct values, too many to combine`;
    throw new Failure("query-not-possible", {
      element,
      problem,
      advice: `show fewer parameters as data; at most ${mostGroups} combinations are supported`,
    });
  }
  const groups = new Int32Array(length);
  let weight = 1;
  for (const { codes, values } of coded) {
    for (let row = 0; row < length; row++) groups[row] = (groups[row] ?? 0) + weight * (codes[row] ?? 0);
    weight *= values.length;
  }
  return { values: coded.map(({ values }) => values), rows: partition(groups, count) };
}

/** Counting sort: the rows of each group in order. */
function partition(groups: Int32Array, count: number): Int32Array[] {
  const sizes = new Int32Array(count);
  for (const group of groups) sizes[group] = (sizes[group] ?? 0) + 1;
  const rows = Array.from(sizes, (size) => new Int32Array(size));
  sizes.fill(0);
  groups.forEach((group, row) => {
    const at = sizes[group] ?? 0;
    const own = rows[group];
    if (own) own[at] = row;
    sizes[group] = at + 1;
  });
  return rows;
}

interface Coded {
  readonly values: readonly Value[];
  /** The index of each row's value. */
  readonly codes: Int32Array;
}

function codesOf(column: VectorColumn, length: number): Coded {
  const positions = new Map<Value, number>();
  const codes = new Int32Array(length);
  for (let row = 0; row < length; row++) {
    const value = valueOf(column, row);
    const found = positions.get(value);
    if (found === undefined) positions.set(value, positions.size);
    codes[row] = found ?? positions.size - 1;
  }
  const seen = [...positions.keys()];
  const order = seen.map((_, at) => at).sort((a, b) => compareInColumn(column, seen[a] ?? null, seen[b] ?? null));
  const renamed = new Int32Array(seen.length);
  order.forEach((old, now) => (renamed[old] = now));
  return { values: order.map((at) => seen[at] ?? null), codes: codes.map((code) => renamed[code] ?? 0) };
}

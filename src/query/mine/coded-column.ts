import { type Column, type NumberColumn, type TextColumn, valueAt } from "../../core/tables/index.ts";
import { compareValues, type Value } from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";

/** The distinct values of a parameter in ascending order (missing first), and the index of each row's value. */
export interface CodedColumn {
  readonly variable: Variable;
  readonly values: readonly Value[];
  readonly codes: Int32Array;
}

/** Encodes a column with `length` rows; an absent one has no values. */
export function codedColumn(column: Column | undefined, length: number, variable: Variable): CodedColumn {
  if (column === undefined || column.kind === "interned")
    return { variable, values: [null], codes: new Int32Array(length) };
  const { found, codes } = column.kind === "text" ? codedTexts(column) : codedNumbers(column, variable);
  const order = [...found.keys()].sort((a, b) => compareValues(found[a] ?? null, found[b] ?? null, variable.type));
  const positions = new Int32Array(found.length);
  order.forEach((from, position) => (positions[from] = position));
  return {
    variable,
    values: order.map((from) => found[from] ?? null),
    codes: codes.map((code) => positions[code] ?? 0),
  };
}

interface CodedValues {
  readonly found: Value[];
  readonly codes: Int32Array;
}

function codedTexts({ dictionary, codes }: TextColumn): CodedValues {
  const found: Value[] = [];
  const positions = new Map<string | null, number>();
  const byCode = new Int32Array(dictionary.length + 1).fill(-1);
  const indexOf = (code: number): number => {
    const text = dictionary[code] ?? null;
    let position = positions.get(text);
    if (position === undefined) positions.set(text, (position = found.push(text) - 1));
    return position;
  };
  return {
    found,
    codes: codes.map((code) => {
      if (byCode[code + 1] === -1) byCode[code + 1] = indexOf(code);
      return byCode[code + 1] ?? 0;
    }),
  };
}

function codedNumbers(column: NumberColumn, variable: Variable): CodedValues {
  const found: Value[] = [];
  const positions = new Map<number | string | null, number>();
  const codes = new Int32Array(column.values.length);
  for (let row = 0; row < codes.length; row++) {
    const key = column.missing?.[row] === 1 ? null : (column.exact?.get(row) ?? (column.values[row] as number));
    let position = positions.get(key);
    if (position === undefined) positions.set(key, (position = found.push(valueAt(column, row, variable.type)) - 1));
    codes[row] = position;
  }
  return { found, codes };
}

/** The column for other rows, such as a run's value for each of its rows. */
export function forRows(coded: CodedColumn, positions: Int32Array): CodedColumn {
  return { ...coded, codes: positions.map((position) => coded.codes[position] ?? 0) };
}

/** Number of distinct values, missing excluded. */
export function distinctCount({ values }: CodedColumn): number {
  return values.length - (values[0] === null ? 1 : 0);
}

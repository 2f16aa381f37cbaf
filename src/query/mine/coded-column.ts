import type { NumberColumn, Table, TextColumn } from "../../core/tables/table.ts";
import { valueAt } from "../../core/tables/table.ts";
import { compareValues, type Value } from "../../core/values/value.ts";
import type { Variable } from "../../core/variables/variable.ts";

/**
 * The different contents of a parameter in ascending order (no content first), and for each row its place among them.
 */
export interface Coded {
  readonly variable: Variable;
  readonly contents: readonly Value[];
  readonly codes: Int32Array;
}

/** Column `at` of a table, whose contents are the variable's. */
export function codedColumn(table: Table, at: number, variable: Variable): Coded {
  const column = table.columns[at];
  if (column === undefined || column.kind === "interned")
    return { variable, contents: [null], codes: new Int32Array(table.length) };
  const { found, codes } = column.kind === "text" ? codedTexts(column) : codedNumbers(column, variable);
  const order = [...found.keys()].sort((a, b) => compareValues(found[a] ?? null, found[b] ?? null, variable.type));
  const places = new Int32Array(found.length);
  order.forEach((from, place) => (places[from] = place));
  return {
    variable,
    contents: order.map((from) => found[from] ?? null),
    codes: codes.map((code) => places[code] ?? 0),
  };
}

interface Found {
  readonly found: Value[];
  readonly codes: Int32Array;
}

function codedTexts({ dictionary, codes }: TextColumn): Found {
  const found: Value[] = [];
  const places = new Map<string | null, number>();
  const byWord = new Int32Array(dictionary.length + 1).fill(-1);
  const placeOf = (code: number): number => {
    const text = dictionary[code] ?? null;
    let place = places.get(text);
    if (place === undefined) places.set(text, (place = found.push(text) - 1));
    return place;
  };
  return {
    found,
    codes: codes.map((code) => {
      if (byWord[code + 1] === -1) byWord[code + 1] = placeOf(code);
      return byWord[code + 1] ?? 0;
    }),
  };
}

function codedNumbers(column: NumberColumn, variable: Variable): Found {
  const found: Value[] = [];
  const places = new Map<number | string | null, number>();
  const codes = new Int32Array(column.values.length);
  for (let row = 0; row < codes.length; row++) {
    const key = column.missing?.[row] === 1 ? null : (column.exact?.get(row) ?? (column.values[row] as number));
    let place = places.get(key);
    if (place === undefined) places.set(key, (place = found.push(valueAt(column, row, variable.type)) - 1));
    codes[row] = place;
  }
  return { found, codes };
}

/** The same for rows that belong to others: those of runs, for the data sets of each. */
export function forRows(coded: Coded, places: Int32Array): Coded {
  return { ...coded, codes: places.map((place) => coded.codes[place] ?? 0) };
}

/** How many different contents there are besides none. */
export function variety({ contents }: Coded): number {
  return contents.length - (contents[0] === null ? 1 : 0);
}

import type { Values } from "../../core/values/index.ts";
import type { CodedColumn } from "./coded-column.ts";

/** The distinct combinations of values of all rows, in order of values, and the index of each row's combination. */
export interface ParameterSets {
  readonly parameters: readonly CodedColumn[];
  readonly count: number;
  readonly codes: Int32Array;
  /** By set the indices of its values, in the order of the parameters. */
  readonly members: readonly Int32Array[];
}

export function parameterSets(parameters: readonly CodedColumn[], rows: number): ParameterSets {
  const codes = new Int32Array(rows);
  let count = Math.min(rows, 1);
  for (const { codes: own, values } of parameters) count = pairCodes(codes, count, own, values.length);
  // Codes are numbered in the order of their first rows.
  const members: Int32Array[] = [];
  for (let row = 0; row < rows && members.length < count; row++)
    if (codes[row] === members.length)
      members.push(Int32Array.from(parameters, (parameter) => parameter.codes[row] ?? 0));
  const order = [...members.keys()].sort((a, b) => compare(members[a] as Int32Array, members[b] as Int32Array));
  const positions = new Int32Array(count);
  order.forEach((from, position) => (positions[from] = position));
  for (let row = 0; row < rows; row++) codes[row] = positions[codes[row] as number] as number;
  return {
    parameters,
    count,
    codes,
    members: order.map((from) => members[from] as Int32Array),
  };
}

/** Pairs below this number are looked up in an array. */
const mostListedPairs = 1 << 22;

/**
 * Replaces `count` codes by those of their pairs with `own`, which has `size` values, and returns the number of pairs.
 * They are renumbered after each parameter, so that they stay below the number of rows.
 */
function pairCodes(codes: Int32Array, count: number, own: Int32Array, size: number): number {
  const positions = count * size <= mostListedPairs ? new PairList(count * size) : new Map<number, number>();
  let found = 0;
  for (let row = 0; row < codes.length; row++) {
    const key = (codes[row] as number) * size + (own[row] as number);
    let position = positions.get(key);
    if (position === undefined) positions.set(key, (position = found++));
    codes[row] = position;
  }
  return found;
}

/** A map of small keys. */
class PairList {
  readonly #positions: Int32Array;

  constructor(size: number) {
    this.#positions = new Int32Array(size).fill(-1);
  }

  get(key: number): number | undefined {
    const position = this.#positions[key] as number;
    return position < 0 ? undefined : position;
  }

  set(key: number, position: number): void {
    this.#positions[key] = position;
  }
}

function compare(a: Int32Array, b: Int32Array): number {
  const at = a.findIndex((position, i) => position !== b[i]);
  return at < 0 ? 0 : (a[at] as number) - (b[at] as number);
}

/** The values of sets by parameter name; findings of one set share them. */
export class SetValues {
  readonly #sets: ParameterSets;
  readonly #known = new Map<number, Values>();

  constructor(sets: ParameterSets) {
    this.#sets = sets;
  }

  of(set: number): Values {
    const known = this.#known.get(set);
    if (known !== undefined) return known;
    const { parameters, members } = this.#sets;
    const values = new Map(
      parameters.map(({ variable, values: all }, at) => [variable.name, all[members[set]?.[at] ?? 0] ?? null]),
    );
    this.#known.set(set, values);
    return values;
  }
}

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
  let codes: Int32Array = new Int32Array(rows);
  let count = Math.min(rows, 1);
  for (const { codes: own, values } of parameters) ({ codes, count } = pairCodes(codes, own, values.length));
  const members = Array.from({ length: count }, () => new Int32Array(parameters.length));
  for (let row = 0; row < rows; row++) {
    const member = members[codes[row] as number] as Int32Array;
    for (let at = 0; at < parameters.length; at++) member[at] = parameters[at]?.codes[row] ?? 0;
  }
  const order = [...members.keys()].sort((a, b) => compare(members[a] as Int32Array, members[b] as Int32Array));
  const positions = new Int32Array(count);
  order.forEach((from, position) => (positions[from] = position));
  return {
    parameters,
    count,
    codes: codes.map((code) => positions[code] as number),
    members: order.map((from) => members[from] as Int32Array),
  };
}

/** Renumbers the codes after each parameter, so that they stay below the number of rows. */
function pairCodes(codes: Int32Array, own: Int32Array, size: number): { codes: Int32Array; count: number } {
  const positions = new Map<number, number>();
  const next = codes.map((code, row) => {
    const key = code * size + (own[row] as number);
    let position = positions.get(key);
    if (position === undefined) positions.set(key, (position = positions.size));
    return position;
  });
  return { codes: next, count: positions.size };
}

function compare(a: Int32Array, b: Int32Array): number {
  const at = a.findIndex((position, i) => position !== b[i]);
  return at < 0 ? 0 : (a[at] as number) - (b[at] as number);
}

/** The values of a set by parameter name. */
export function valuesOfSet({ parameters, members }: ParameterSets, set: number): Values {
  return new Map(
    parameters.map(({ variable, values }, at) => [variable.name, values[members[set]?.[at] ?? 0] ?? null]),
  );
}

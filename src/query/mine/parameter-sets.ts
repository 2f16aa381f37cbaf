import type { Values } from "../../core/values/value.ts";
import type { Coded } from "./coded-column.ts";

/**
 * The different combinations of contents that rows have, in order of contents, and for each row its place among them.
 */
export interface ParameterSets {
  readonly parameters: readonly Coded[];
  readonly count: number;
  readonly codes: Int32Array;
  /** Per set the places of its contents, in the order of the parameters. */
  readonly members: readonly Int32Array[];
}

export function parameterSets(parameters: readonly Coded[], rows: number): ParameterSets {
  let codes: Int32Array = new Int32Array(rows);
  let count = Math.min(rows, 1);
  for (const { codes: own, contents } of parameters) ({ codes, count } = paired(codes, own, contents.length));
  const members = Array.from({ length: count }, () => new Int32Array(parameters.length));
  for (let row = 0; row < rows; row++) {
    const member = members[codes[row] as number] as Int32Array;
    for (let at = 0; at < parameters.length; at++) member[at] = parameters[at]?.codes[row] ?? 0;
  }
  const order = [...members.keys()].sort((a, b) => compare(members[a] as Int32Array, members[b] as Int32Array));
  const places = new Int32Array(count);
  order.forEach((from, place) => (places[from] = place));
  return {
    parameters,
    count,
    codes: codes.map((code) => places[code] as number),
    members: order.map((from) => members[from] as Int32Array),
  };
}

/** Numbered anew after each parameter, so that numbers stay below that of rows. */
function paired(codes: Int32Array, own: Int32Array, size: number): { codes: Int32Array; count: number } {
  const places = new Map<number, number>();
  const next = codes.map((code, row) => {
    const key = code * size + (own[row] as number);
    let place = places.get(key);
    if (place === undefined) places.set(key, (place = places.size));
    return place;
  });
  return { codes: next, count: places.size };
}

function compare(a: Int32Array, b: Int32Array): number {
  const at = a.findIndex((place, i) => place !== b[i]);
  return at < 0 ? 0 : (a[at] as number) - (b[at] as number);
}

/** The contents of a set by name of parameter. */
export function contentsOf({ parameters, members }: ParameterSets, set: number): Values {
  return new Map(
    parameters.map(({ variable, contents }, at) => [variable.name, contents[members[set]?.[at] ?? 0] ?? null]),
  );
}

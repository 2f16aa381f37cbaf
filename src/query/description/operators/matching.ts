import { pickRows } from "../../../core/tables/index.ts";
import type { OperatorElement } from "../../../core/experiments/index.ts";
import { formatUnit, keyOfValues, type Value } from "../../../core/values/index.ts";
import { allRows } from "../groups.ts";
import { valueOf, parametersOf, type FilterLabel, type Vector, type VectorColumn } from "../vector.ts";
import { unitIn, unlike } from "./quantity.ts";
import { refuse } from "./operator.ts";

/** Matching rows of several inputs. */
export interface Matches {
  /** By input, its row in each match. */
  readonly rows: readonly Int32Array[];
  readonly length: number;
}

/** Most matches: more indicate a wrong choice of parameters. */
export const mostMatches = 4_000_000;

/**
 * Matches rows by equal values of the common parameters (match="parameter", the default; every pair), by row number up
 * to the shortest input (index), or up to the longest, repeating the others (modulo). Inputs without a common parameter
 * are matched by row number; a single row without parameters matches every row.
 */
export function matchRows(element: OperatorElement, inputs: readonly Vector[]): Matches {
  const lengths = inputs.map((input) => input.length);
  if (element.match === "index") return byNumber(lengths, Math.min(...lengths));
  if (element.match === "modulo") return byNumber(lengths, lengths.includes(0) ? 0 : Math.max(...lengths));
  const [first, ...others] = inputs;
  if (first === undefined) throw refuse(element, "it has no input");
  let matches: Matches = { rows: [allRows(first.length)], length: first.length };
  others.forEach((other, at) => {
    matches = joinInput(element, inputs.slice(0, at + 1), matches, other);
  });
  return matches;
}

function byNumber(lengths: readonly number[], length: number): Matches {
  return { rows: lengths.map((own) => Int32Array.from({ length }, (_, row) => row % own)), length };
}

export interface Shared {
  /** The column among the previous inputs, and the index of its input. */
  readonly input: number;
  readonly before: VectorColumn;
  readonly own: VectorColumn;
}

function joinInput(element: OperatorElement, before: readonly Vector[], matches: Matches, other: Vector): Matches {
  const shared = sharedParameters(before, other);
  const pairs = shared.length === 0 ? unkeyed(element, before, matches, other) : keyed(element, shared, matches, other);
  const [left, right] = pairs;
  return { rows: [...matches.rows.map((rows) => left.map((at) => rows[at] ?? -1)), right], length: left.length };
}

/** The parameters that an input shares with previous ones. Fails with `unit-mismatch`. */
export function sharedParameters(before: readonly Vector[], other: Vector): Shared[] {
  return parametersOf(other).flatMap((own) => {
    for (const [input, vector] of before.entries()) {
      const found = parametersOf(vector).find(({ variable }) => variable.name === own.variable.name);
      if (found) return [checkedUnits({ input, before: found, own })];
    }
    return [];
  });
}

function checkedUnits(shared: Shared): Shared {
  const [to, from] = [unitIn(shared.before.variable), unitIn(shared.own.variable)];
  if (formatUnit(to) === formatUnit(from)) return shared;
  throw unlike(shared.before.display, to, shared.own.display, from);
}

type Pairs = readonly [left: Int32Array, right: Int32Array];

function keyed(element: OperatorElement, shared: readonly Shared[], { rows, length }: Matches, other: Vector): Pairs {
  const ownKey = keyReader(
    shared.map(
      ({ own }) =>
        (row) =>
          valueOf(own, row),
    ),
  );
  // Linked lists of the rows of each key.
  const heads = new Map<Value, number>();
  const next = new Int32Array(other.length).fill(-1);
  for (let row = other.length - 1; row >= 0; row--) {
    const key = ownKey(row);
    next[row] = heads.get(key) ?? -1;
    heads.set(key, row);
  }
  const key = keyReader(
    shared.map(
      ({ input, before }) =>
        (at) =>
          valueOf(before, rows[input]?.[at] ?? -1),
    ),
  );
  const [left, right]: [number[], number[]] = [[], []];
  for (let at = 0; at < length; at++) {
    for (let row = heads.get(key(at)) ?? -1; row >= 0; row = next[row] ?? -1) {
      left.push(at);
      right.push(row);
    }
    checkMatches(element, left.length);
  }
  return [Int32Array.from(left), Int32Array.from(right)];
}

/** Fails with `query-not-possible` for too many pairs of rows. */
export function checkMatches(element: OperatorElement, matches: number): void {
  if (matches <= mostMatches) return;
  throw refuse(
    element,
    `its inputs have more than ${mostMatches} pairs of rows with the same parameters`,
    'reduce them first, or match rows by their number with match="index"',
  );
}

/** A key that is equal for equal values only: the value, or a text of several. */
function keyReader(columns: readonly ((row: number) => Value)[]): (row: number) => Value {
  const [only, second] = columns;
  if (only && !second) return only;
  return (row) => keyOfValues(columns.map((value) => value(row)));
}

function unkeyed(element: OperatorElement, before: readonly Vector[], { length }: Matches, other: Vector): Pairs {
  if (length === other.length) return [allRows(length), allRows(length)];
  if (length === 0 || other.length === 0) return [new Int32Array(), new Int32Array()];
  if (isSingle([other])) return [allRows(length), new Int32Array(length)];
  if (isSingle(before)) return [new Int32Array(other.length), allRows(other.length)];
  throw refuse(
    element,
    `its inputs have no parameter in common, and ${length} and ${other.length} rows`,
    'match rows by their number with match="index" or match="modulo"',
  );
}

function isSingle(vectors: readonly Vector[]): boolean {
  return vectors.every((vector) => vector.length === 1 && parametersOf(vector).length === 0);
}

/**
 * The vector of these results over matched rows: with the parameters of all inputs, each once, and their common labels.
 */
export function matchedVector(
  element: OperatorElement,
  inputs: readonly Vector[],
  { rows, length }: Matches,
  results: readonly VectorColumn[],
): Vector {
  const known = new Set<string>();
  const parameters = inputs.flatMap((input, at) =>
    parametersOf(input).flatMap((column) => {
      if (known.has(column.variable.name)) return [];
      known.add(column.variable.name);
      return [{ ...column, column: pickRows(column.column, rows[at] ?? []) }];
    }),
  );
  return {
    origin: element.id,
    from: "operator",
    columns: [...parameters, ...results],
    runs: Int32Array.from({ length }, (_, at) => commonRun(inputs, rows, at)),
    chronology: mergedChronology(inputs),
    length,
    labels: sharedFilterLabels(inputs),
  };
}

function commonRun(inputs: readonly Vector[], rows: readonly Int32Array[], at: number): number {
  const first = inputs[0]?.runs[rows[0]?.[at] ?? -1] ?? -1;
  return inputs.every((input, position) => input.runs[rows[position]?.[at] ?? -1] === first) ? first : -1;
}

export function mergedChronology(inputs: readonly Vector[]): number[] {
  return [...new Set(inputs.flatMap((input) => input.chronology))];
}

/** The labels that all inputs share. */
export function sharedFilterLabels([first, ...others]: readonly Vector[]): FilterLabel[] {
  return (first?.labels ?? []).filter(({ text }) =>
    others.every((other) => other.labels.some((label) => label.text === text)),
  );
}

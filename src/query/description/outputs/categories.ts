import type { DataType } from "../../../core/values/value.ts";
import { displayText } from "../display-text.ts";
import { valueOf, type VectorColumn } from "../vector.ts";
import type { ShownVector } from "./shown-vector.ts";
import { numberOf } from "./curves.ts";

/**
 * Contents of a parameter as places along an axis that has a name for each: numbers in order of size, others as they
 * come.
 */
export class Categories {
  readonly names: readonly string[];
  readonly #places: ReadonlyMap<string, number>;

  constructor(columns: readonly (readonly [ShownVector, VectorColumn | undefined])[]) {
    const found = new Map<string, number>();
    for (const [{ vector }, column] of columns)
      for (let row = 0; row < vector.length; row++) {
        const name = nameAt(column, row);
        if (!found.has(name)) found.set(name, column === undefined ? 0 : numberOf(column, row));
      }
    const bySize = columns.every(([, column]) => column === undefined || isMeasured(column.variable.type));
    this.names = bySize
      ? [...found].sort((a, b) => rankOf(a[1]) - rankOf(b[1])).map(([name]) => name)
      : [...found.keys()];
    this.#places = new Map(this.names.map((name, at) => [name, at]));
  }

  /** The place of a row's content. */
  at(column: VectorColumn | undefined, row: number): number {
    return this.#places.get(nameAt(column, row)) ?? Number.NaN;
  }
}

/** What is no number comes last. */
function rankOf(size: number): number {
  return Number.isNaN(size) ? Number.MAX_VALUE : size;
}

/** Types whose contents have places of their own along an axis. */
export function isMeasured(type: DataType): boolean {
  return type === "integer" || type === "float" || type === "duration";
}

function nameAt(column: VectorColumn | undefined, row: number): string {
  return column === undefined ? "" : displayText(valueOf(column, row), column.variable.type);
}

import type { DataType } from "../../../core/values/index.ts";
import { displayText } from "../display-text.ts";
import { valueOf, type VectorColumn } from "../vector.ts";
import type { ShownVector } from "./shown-vector.ts";
import { numberOf } from "./curves.ts";

/** Values of a parameter as categories of an axis: numbers in order of size, others in order of appearance. */
export class Categories {
  readonly names: readonly string[];
  readonly #positions: ReadonlyMap<string, number>;

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
    this.#positions = new Map(this.names.map((name, at) => [name, at]));
  }

  /** The position of a row's value. */
  at(column: VectorColumn | undefined, row: number): number {
    return this.#positions.get(nameAt(column, row)) ?? Number.NaN;
  }
}

/** NaN sorts last. */
function rankOf(size: number): number {
  return Number.isNaN(size) ? Number.MAX_VALUE : size;
}

/** Types with numeric positions on an axis. */
export function isMeasured(type: DataType): boolean {
  return type === "integer" || type === "float" || type === "duration";
}

/** Seconds of the values of types whose positions on an axis are instants. */
const secondsOf: Partial<Record<DataType, number>> = { timestamp: 1e-6, date: 86_400 };

/** Whether the values are instants, which have positions on an axis of time. */
export function isInstant(type: DataType): boolean {
  return secondsOf[type] !== undefined;
}

/** The position of a number or an instant on an axis; NaN if missing. */
export function positionOf(column: VectorColumn, row: number): number {
  return numberOf(column, row) * (secondsOf[column.variable.type] ?? 1);
}

function nameAt(column: VectorColumn | undefined, row: number): string {
  return column === undefined ? "" : displayText(valueOf(column, row), column.variable.type);
}

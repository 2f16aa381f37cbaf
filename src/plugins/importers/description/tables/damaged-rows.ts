import { hasUnits } from "../../../../core/variables/index.ts";
import type { RowCell } from "./row-cell.ts";
import type { TableColumn } from "./table-column.ts";
import { hasValue } from "./units-of-rows.ts";

/** Words that may precede a row: a time, a host, a sign of a comment. */
const mostBefore = 3;
/** Entries of a line that is compared with the rows. */
const mostEntries = 200;
/** An entry that stands for a number: damaged, in another notation, or missing. */
const likeNumber = /^(?:[-+([{<"'*~$]*\.?\d|[-*?.]+$|n\/?a$|[-+]?(?:nan|inf)|null$|none$)/i;

/** Recognises rows of a table that have lost, gained or damaged entries. */
export class DamagedRows {
  readonly #columns: readonly TableColumn[];
  readonly #numeric: readonly TableColumn[];
  readonly #others: readonly TableColumn[];

  constructor(columns: readonly TableColumn[]) {
    this.#columns = columns;
    this.#numeric = columns.filter(isNumeric);
    this.#others = columns.filter((column) => !isNumeric(column));
  }

  /** True for a line with as many entries as a row, whose numbers are damaged or in another notation. */
  areUnreadable(cell: RowCell, count: number): boolean {
    if (cell.isDelimited || count > mostEntries || this.#numeric.length < 2) return false;
    let hasNumber = false;
    // Numbers first: most lines that are no rows have none there.
    for (const column of this.#numeric) {
      if (column.entry < 0) continue;
      if (column.entry >= count || !likeNumber.test(cell.at(column.entry).text)) return false;
      hasNumber ||= isValue(column, cell, column.entry);
    }
    return hasNumber && this.#others.every(({ entry }) => entry < count) && this.#haveTexts(cell);
  }

  #haveTexts(cell: RowCell): boolean {
    return this.#others.every((column) => column.entry < 0 || isValue(column, cell, column.entry));
  }

  /** True for a line with fewer or more entries than a row, if those of a row are left, in their order. */
  areIncomplete(cell: RowCell, count: number, expected: number): boolean {
    if (cell.isDelimited || count > mostEntries || expected > mostEntries) return false;
    return count < expected ? this.#hasLost(cell, count, expected) : this.#hasGained(cell, count - expected);
  }

  /** The columns at entries, in their order. */
  get #inOrder(): readonly TableColumn[] {
    return this.#columns.filter(({ entry }) => entry >= 0).toSorted((a, b) => a.entry - b.entry);
  }

  #hasLost(cell: RowCell, count: number, expected: number): boolean {
    const columns = this.#inOrder;
    if (2 * count <= expected || count < 2 || columns.length !== expected) return false;
    let [next, numbers] = [0, 0];
    for (let entry = 0; entry < count; entry++) {
      while (next < expected && !isValueOrTwo(columns[next]!, cell, entry)) next += 1;
      if (next === expected) return false;
      numbers += isNumeric(columns[next]!) ? 1 : 0;
      next += 1;
    }
    return numbers > 0;
  }

  /** `before`: entries more than a row has. */
  #hasGained(cell: RowCell, before: number): boolean {
    if (this.#numeric.length < 2 || before < 1 || before > mostBefore) return false;
    return this.#inOrder.every((column) => isValue(column, cell, column.entry + before));
  }
}

function isNumeric({ variable }: TableColumn): boolean {
  return hasUnits(variable.type);
}

function isValue(column: TableColumn, cell: RowCell, entry: number): boolean {
  return hasValue(column, cell.at(entry));
}

/** True as well for two numbers that were printed without a blank between them: `6.1234008.500`. */
function isValueOrTwo(column: TableColumn, cell: RowCell, entry: number): boolean {
  return isValue(column, cell, entry) || (isNumeric(column) && /^[-+]?\d+\.\d+[.-][\d.]*\d$/.test(cell.at(entry).text));
}

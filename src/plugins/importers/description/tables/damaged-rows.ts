import { hasUnits } from "../../../../core/variables/index.ts";
import type { RowCell } from "./row-cell.ts";
import type { TableColumn } from "./table-column.ts";
import { hasValue } from "./units-of-rows.ts";

/** Words that may precede a row: a time, a host, a sign of a comment. */
const mostBefore = 3;
/** Entries of a line that is compared with the rows. */
const mostEntries = 200;
/** An entry that stands for a number: damaged, in another notation, or missing. */
const likeNumber = /^(?:[-+([{<"'*~$]*\.?\d|[-*?.]+$|n\/?a$|nan$|[-+]?inf|null$|none$)/i;

/** Recognises rows of a table that have lost, gained or damaged entries. */
export class DamagedRows {
  readonly #columns: readonly TableColumn[];
  readonly #numeric: number;

  /** `columns`: all of them at the position of an entry. */
  constructor(columns: readonly TableColumn[]) {
    this.#columns = columns.filter(({ entry }) => entry >= 0).toSorted((a, b) => a.entry - b.entry);
    this.#numeric = columns.filter(isNumeric).length;
  }

  /** True for a line with as many entries as a row, whose numbers are damaged or in another notation. */
  areUnreadable(cell: RowCell, count: number): boolean {
    if (cell.isDelimited || count > mostEntries) return false;
    const fits = this.#columns.map((column) => {
      if (column.entry >= count) return false;
      return isValue(column, cell, column.entry) || (isNumeric(column) && likeNumber.test(cell.at(column.entry).text));
    });
    return this.#numeric > 1 && fits.every(Boolean) && this.#columns.some((column) => isNumber(column, cell));
  }

  /** True for a line with fewer or more entries than a row, if those of a row are left, in their order. */
  areIncomplete(cell: RowCell, count: number, expected: number): boolean {
    if (cell.isDelimited || count > mostEntries || expected > mostEntries) return false;
    return count < expected ? this.#hasLost(cell, count, expected) : this.#hasGained(cell, count);
  }

  #hasLost(cell: RowCell, count: number, expected: number): boolean {
    if (2 * count <= expected || count < 2 || this.#columns.length !== expected) return false;
    let [next, numbers] = [0, 0];
    for (let entry = 0; entry < count; entry++) {
      while (next < expected && !isValueOrTwo(this.#columns[next]!, cell, entry)) next += 1;
      if (next === expected) return false;
      numbers += isNumeric(this.#columns[next]!) ? 1 : 0;
      next += 1;
    }
    return numbers > 0;
  }

  #hasGained(cell: RowCell, count: number): boolean {
    if (this.#numeric < 2) return false;
    const most = Math.min(mostBefore, count - 1 - (this.#columns.at(-1)?.entry ?? count));
    return Array.from({ length: most }, (_, at) => at + 1).some((before) =>
      this.#columns.every((column) => isValue(column, cell, column.entry + before)),
    );
  }
}

function isNumeric({ variable }: TableColumn): boolean {
  return hasUnits(variable.type);
}

function isNumber(column: TableColumn, cell: RowCell): boolean {
  return isNumeric(column) && isValue(column, cell, column.entry);
}

function isValue(column: TableColumn, cell: RowCell, entry: number): boolean {
  return hasValue(column, cell.at(entry));
}

/** True as well for two numbers that were printed without a blank between them: `6.1234008.500`. */
function isValueOrTwo(column: TableColumn, cell: RowCell, entry: number): boolean {
  return isValue(column, cell, entry) || (isNumeric(column) && /^[-+]?\d+\.\d+[.-][\d.]*\d$/.test(cell.at(entry).text));
}

import type { ColumnDraft } from "./drafts.ts";
import { isMissingMark as isMarkOrNan } from "../text/index.ts";
import { numberOf } from "./numbers.ts";

const special = /^[-+]?(?:nan|inf(?:inity)?)$/i;

/** True for `nan` and `inf`, which importers read as numbers. */
export function isSpecialNumber(text: string): boolean {
  return special.test(text);
}

/** True for `N/A`, `-` and the like, which stand for a missing number. Descriptions read `nan` as a number. */
export function isMissingMark(text: string): boolean {
  return text === "---" || (isMarkOrNan(text) && !isSpecialNumber(text));
}

/** Whether an entry is a number; undefined: it stands for a missing one, and may be in a column of either kind. */
export function isNumberEntry(text: string): boolean | undefined {
  if (isMissingMark(text)) return undefined;
  return isSpecialNumber(text) || numberOf(text) !== undefined;
}

/** The kind of a column with two entries: numbers only if both are. */
export function commonKind(one: boolean | undefined, other: boolean | undefined): boolean | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one && other;
}

/** A column of numbers without the cells that stand for missing ones, which become `missing=`. */
export function withoutMarks(column: ColumnDraft): ColumnDraft {
  const missing = [...new Set(column.cells.map(({ text }) => text).filter(isMissingMark))];
  if (column.type !== "number" || missing.length === 0) return column;
  return { ...column, missing, cells: column.cells.filter(({ text }) => !isMissingMark(text)) };
}

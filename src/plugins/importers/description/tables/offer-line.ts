import type { Look } from "../finders/finder.ts";
import type { Notices } from "../notices.ts";
import type { RowTable } from "./row-table.ts";

/**
 * Offers a line to all tables; `isTaken`: it has single values. Tables that have ended watch a line without any use.
 */
export function offerLine(tables: readonly RowTable[], look: Look, isTaken: boolean, notices: Notices): void {
  const { line } = look;
  let isUsed = isTaken;
  for (const table of tables) if (table.offer(look) !== undefined) isUsed = true;
  // A line with single values, or one that belongs to a table, is an expected end.
  for (const table of tables) {
    if (isUsed) table.takeEnds();
    else reportEnds(table, notices);
  }
  if (isUsed) return;
  for (const table of tables) if (table.isWatching) table.watch(line.block, line.start, line.number);
}

/** Reports the ends of a table that may lose rows. */
export function reportEnds(table: RowTable, notices: Notices): void {
  for (const { kind, line, text } of table.takeEnds()) notices.report(kind, line, text);
}

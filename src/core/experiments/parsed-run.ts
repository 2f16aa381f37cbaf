import type { Table } from "../tables/table.ts";

/** The contents of one run that the output of a program tells. */
export interface ParsedRun {
  /** One row. */
  readonly once: Table;
  /** The data sets; null: there are none. */
  readonly rows: Table | null;
}

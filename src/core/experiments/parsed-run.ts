import type { Table } from "../tables/index.ts";

/** The values of one run, read from benchmark output. */
export interface ParsedRun {
  /** One row. */
  readonly once: Table;
  /** The rows; null: there are none. */
  readonly rows: Table | null;
}

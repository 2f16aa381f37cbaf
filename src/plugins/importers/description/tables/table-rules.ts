/** What the two sets of rules do differently in a table. */
export interface TableRules {
  /** Lines of punctuation may follow the marked row, even if it has no headings that select columns. */
  readonly skipsPunctuation: boolean;
  /** A keyword that is in the header and in the first row means the entry after it. */
  readonly headingsYield: boolean;
  /** A line with a cell of another type ends the table; else it is skipped. */
  readonly misfitEnds: boolean;
  /**
   * A table without a mark waits at every line for its first row, a line that ends it may be that of the next one, and
   * it stays ended after its maximum number of rows. Else it starts again below the line after its end.
   */
  readonly waits: boolean;
  /** A marked row restarts a table that is active and did not take it as a row; else only one that has ended. */
  readonly restarts: boolean;
}

/** `left`: also rows of the first experiment without a partner, `right`: of the second, `full`: of both. */
export const joinTypes = ["inner", "left", "right", "full"] as const;
export type JoinType = (typeof joinTypes)[number];

/** The second experiment of a query. */
export interface JoinSpec {
  readonly experiment: string;
  /** Names of keys, as `size`, or `size=S_msg` for another name in the second experiment; none: shared parameters. */
  readonly on: readonly string[];
  readonly type: JoinType;
}

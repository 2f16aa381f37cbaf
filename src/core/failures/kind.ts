/**
 * Exit statuses, documented in docs/errors.md.
 * `found`: a regression, damage or difference was found. `inconclusive`: no baseline or too little data.
 * `host`: the machine refused (disk full, no permission, a tool is missing, the lock is held).
 */
export const exitStatus = {
  fine: 0,
  found: 1,
  usage: 2,
  inconclusive: 3,
  badInput: 4,
  nothingMatched: 5,
  bug: 70,
  host: 74,
  untrusted: 77,
  interrupted: 130,
} as const;

export type ExitName = keyof typeof exitStatus;

/** The facts of one failure, by the names its row of the catalogue uses. */
export type FailureData = Readonly<Record<string, string | number | readonly string[] | undefined>>;

/** One row of the catalogue: what the user reads and what a script branches on. */
export interface FailureKind {
  readonly exit: ExitName;
  /** What happened, to which value, where: one line, no full stop. `data` holds the values named in the row. */
  readonly message: (data: FailureData) => string;
  /** What to do next: one line, no full stop. */
  readonly remedy: (data: FailureData) => string;
}

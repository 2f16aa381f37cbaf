/**
 * Exit statuses, documented in docs/errors.md.
 * `found`: a regression, damage or difference. `inconclusive`: no baseline or too little data.
 * `host`: an environment error (disk full, no permission, a missing tool, a held lock).
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

/** The data of one failure, by the names its catalogue entry uses. */
export type FailureData = Readonly<Record<string, string | number | readonly string[] | undefined>>;

/** One entry of the catalogue: texts for users, an exit status for scripts. */
export interface FailureKind {
  readonly exit: ExitName;
  /** What happened, to which value, where: one line, no full stop. */
  readonly message: (data: FailureData) => string;
  /** What to do next: one line, no full stop. */
  readonly remedy: (data: FailureData) => string;
}

/** The suffix with similar names, or "". */
export function suggestion({ near }: FailureData): string {
  return near ? `, did you mean ${String(near)}?` : "";
}

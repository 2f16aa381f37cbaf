import { configFailures } from "./config.ts";
import { databaseFailures } from "./database.ts";
import { experimentFailures } from "./experiments.ts";
import { figureFailures } from "./figures.ts";
import { fuzzingFailures } from "./fuzzing.ts";
import { exitStatus, type FailureData, type FailureKind } from "./kind.ts";
import { profileFailures } from "./profiles.ts";
import { queryFailures } from "./queries.ts";
import { runningFailures } from "./running.ts";
import { scratchFailures } from "./scratch.ts";
import { sharingFailures } from "./sharing.ts";
import { storeFailures } from "./store.ts";
import { usageFailures } from "./usage.ts";
import { verdictFailures } from "./verdicts.ts";
import { versionFailures } from "./versions.ts";

/** Every failure that perfkeep reports on purpose, by its stable code. */
export const catalogue = {
  ...usageFailures,
  ...configFailures,
  ...versionFailures,
  ...storeFailures,
  ...scratchFailures,
  ...sharingFailures,
  ...profileFailures,
  ...runningFailures,
  ...fuzzingFailures,
  ...experimentFailures,
  ...databaseFailures,
  ...queryFailures,
  ...figureFailures,
  ...verdictFailures,
} satisfies Readonly<Record<string, FailureKind>>;

export type FailureCode = keyof typeof catalogue;

/**
 * The only error perfkeep throws on purpose. Anything else that reaches the command line is a bug of ours (exit 70).
 */
export class Failure extends Error {
  readonly code: FailureCode;
  readonly data: FailureData;
  readonly remedy: string;
  readonly exit: number;

  constructor(code: FailureCode, data: FailureData = {}, cause?: unknown) {
    const kind: FailureKind = catalogue[code];
    super(placed(kind.message(data), data["input"]), cause === undefined ? undefined : { cause });
    this.name = "Failure";
    this.code = code;
    this.data = data;
    this.remedy = kind.remedy(data);
    this.exit = exitStatus[kind.exit];
  }

  /** The same failure, said of a place: the file that was read when it happened. */
  at(input: string): Failure {
    return new Failure(this.code, { ...this.data, input }, this.cause);
  }

  toJSON(): object {
    return { code: this.code, message: this.message, remedy: this.remedy, exit: this.exit, data: this.data };
  }
}

/** What names its file itself is not told twice of which file it is. */
function placed(message: string, input: unknown): string {
  const file = typeof input === "string" ? input : undefined;
  return file === undefined || message.startsWith(`${file}: `) ? message : `${file}: ${message}`;
}

export function isFailure(error: unknown, code?: FailureCode): error is Failure {
  return error instanceof Failure && (code === undefined || error.code === code);
}

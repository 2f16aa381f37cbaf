import { catalogue } from "./catalogue.ts";
import { exitStatus, type FailureData, type FailureKind } from "./kind.ts";

export type FailureCode = keyof typeof catalogue;

/** The only error perfkeep throws on purpose. Any other error that reaches the command line is a bug (exit 70). */
export class Failure extends Error {
  readonly code: FailureCode;
  readonly data: FailureData;
  readonly remedy: string;
  readonly exit: number;

  constructor(code: FailureCode, data: FailureData = {}, cause?: unknown) {
    const kind = kindOf(code);
    super(inFile(kind.message(data), data["input"]), cause === undefined ? undefined : { cause });
    this.name = "Failure";
    this.code = code;
    this.data = data;
    this.remedy = kind.remedy(data);
    this.exit = exitStatus[kind.exit];
  }

  /** The same failure with `input`, the file that was read, before the message. */
  at(input: string): Failure {
    return new Failure(this.code, { ...this.data, input }, this.cause);
  }

  toJSON(): object {
    return { code: this.code, message: this.message, remedy: this.remedy, exit: this.exit, data: this.data };
  }
}

/** The built program reads the catalogue with the first failure, which may be that no file can be opened. */
function kindOf(code: FailureCode): FailureKind {
  try {
    return catalogue[code];
  } catch (error) {
    return {
      exit: "host",
      message: (data) => `${code} ${JSON.stringify(data)}`,
      remedy: () =>
        `the text of this failure cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
}

/** The message with its file in front, unless it starts with the file already. */
function inFile(message: string, input: unknown): string {
  const file = typeof input === "string" ? input : undefined;
  return file === undefined || message.startsWith(`${file}:`) ? message : `${file}: ${message}`;
}

export function isFailure(error: unknown, code?: FailureCode): error is Failure {
  return error instanceof Failure && (code === undefined || error.code === code);
}

/** Whether the system could not read stored data, as opposed to a fault of the data or of the request. */
export function isReadFailure(error: unknown): boolean {
  if (!isFailure(error) || error.exit !== exitStatus.host) return false;
  return error.code === "cannot-read" || error.code.startsWith("database-");
}

/** What `action` returns, or the failure that it throws. */
export function valueOrFailure<T>(action: () => T): T | Failure {
  try {
    return action();
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}

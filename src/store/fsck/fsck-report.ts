import { Failure } from "../../core/failures/index.ts";

/**
 * A finding. `code` is the code of the failure that reading the file would cause, or one of fsck's own
 * (docs/design.md).
 */
export interface Finding {
  readonly code: string;
  /** Relative to the store. */
  readonly path: string;
  readonly version?: string;
  readonly digest?: string;
  readonly message: string;
}

/** Results of fsck. Problems are damage, and files that cannot be checked; notes need no action. */
export interface FsckReport {
  readonly problems: readonly Finding[];
  readonly notes: readonly Finding[];
  readonly checked: { readonly objects: number; readonly indexes: number; readonly entries: number };
}

/** Collects findings during a check. */
export class FsckFindings {
  readonly problems: Finding[] = [];
  readonly notes: Finding[] = [];
  readonly checked = { objects: 0, indexes: 0, entries: 0 };

  /** Like `attempt`, for asynchronous actions. */
  async attemptAsync<T>(about: Omit<Finding, "code" | "message">, action: () => Promise<T>): Promise<T | null> {
    try {
      return await action();
    } catch (error) {
      this.#note(about, error);
      return null;
    }
  }

  /** Runs `action`; records a Failure as a problem and returns null. Rethrows other errors, which are bugs. */
  attempt<T>(about: Omit<Finding, "code" | "message">, action: () => T): T | null {
    try {
      return action();
    } catch (error) {
      this.#note(about, error);
      return null;
    }
  }

  #note(about: Omit<Finding, "code" | "message">, error: unknown): void {
    if (!(error instanceof Failure)) throw error;
    this.problems.push({ ...about, code: error.code, message: error.message });
  }
}

import { Failure } from "../../core/failures/failure.ts";

/**
 * One finding. `code` is that of the failure a reader of the file would meet, or one of the words of fsck
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

/** What fsck found. Problems are damage; notes are worth knowing and need no action. */
export interface FsckReport {
  readonly problems: readonly Finding[];
  readonly notes: readonly Finding[];
  readonly checked: { readonly objects: number; readonly indexes: number; readonly entries: number };
}

/** Collects findings while the store is walked. */
export class FsckFindings {
  readonly problems: Finding[] = [];
  readonly notes: Finding[] = [];
  readonly checked = { objects: 0, indexes: 0, entries: 0 };

  /** Like `reading`, for a reading that takes its time. */
  async awaiting<T>(about: Omit<Finding, "code" | "message">, action: () => Promise<T>): Promise<T | null> {
    try {
      return await action();
    } catch (error) {
      this.#note(about, error);
      return null;
    }
  }

  /**
   * Runs one reading; when it fails, that is a problem and the answer null. What is no Failure is a bug of ours and
   * goes on up.
   */
  reading<T>(about: Omit<Finding, "code" | "message">, action: () => T): T | null {
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

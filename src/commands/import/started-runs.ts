import { isFailure } from "../../core/failures/failure.ts";
import type { ReadFile } from "./input-files.ts";
import type { ImportStep } from "./read-runs.ts";

/** Follows a reading, to know which files it has read and how many runs it began. */
export class BegunRuns {
  readonly #files: ReadFile[] = [];
  #runs = 0;
  #failed = false;

  /** Files that were read to their end. */
  get files(): readonly ReadFile[] {
    return this.#files;
  }

  /** How many runs a reading that failed had begun; 0 when it did not fail. */
  get lost(): number {
    return this.#failed ? this.#runs : 0;
  }

  async *follow(steps: AsyncIterable<ImportStep>): AsyncGenerator<ImportStep> {
    let ofThisFile = 0;
    try {
      for await (const step of steps) {
        if (step.kind === "reading") ofThisFile = 0;
        else if (step.kind === "read") this.#files.push(...step.files);
        else if (step.kind === "begin") {
          ofThisFile += 1;
          this.#runs += 1;
        }
        yield step;
      }
    } catch (error) {
      this.#failed = !isFailure(error, "interrupted");
      // A run begins with the first byte, though it may be wrong before anything comes of it.
      if (ofThisFile === 0 && !isFailure(error, "unreadable-file")) this.#runs += 1;
      throw error;
    }
  }
}

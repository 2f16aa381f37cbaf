import { isFailure } from "../../core/failures/index.ts";
import type { ImportStep } from "./fit.ts";
import type { ReadFile } from "./input-files.ts";

/** Observes a reading: records the files read and the number of runs started. */
export class StartedRuns {
  readonly #files: ReadFile[] = [];
  #runs = 0;
  #failed = false;

  /** Completely read files. */
  get files(): readonly ReadFile[] {
    return this.#files;
  }

  /** Number of runs that a failed reading had started; 0 if it did not fail. */
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
      // A run starts with the first byte, even if that is invalid.
      if (ofThisFile === 0 && !isFailure(error, "unreadable-file")) this.#runs += 1;
      throw error;
    }
  }
}

import { Failure } from "../../core/failures/failure.ts";
import { processInterrupts, type Interrupts } from "./process-group.ts";

/**
 * The wish of the user or system that a batch should end. Programs end by themselves then (`Shell`); this is for what
 * lies between them. The second request is left to the system, which ends the process.
 */
export class StopRequest {
  readonly #ignore: () => void;
  #isMade = false;

  constructor(interrupts: Interrupts = processInterrupts) {
    this.#ignore = interrupts(() => {
      if (this.#isMade) this.#ignore();
      this.#isMade = true;
    });
  }

  /** Fails with `interrupted` once that was asked for. */
  check(): void {
    if (this.#isMade) throw new Failure("interrupted");
  }

  end(): void {
    this.#ignore();
  }
}

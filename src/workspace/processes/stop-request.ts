import { Failure } from "../../core/failures/index.ts";
import { processInterrupts, type Interrupts } from "./process-group.ts";

/**
 * A request of the user or system to stop a batch. Programs handle it themselves (`Shell`); this covers the time
 * between them. A second request ends the process.
 */
export class StopRequest {
  readonly #unsubscribe: () => void;
  #isRequested = false;

  constructor(interrupts: Interrupts = processInterrupts) {
    this.#unsubscribe = interrupts(() => {
      if (this.#isRequested) this.#unsubscribe();
      this.#isRequested = true;
    });
  }

  /** Fails with `interrupted` after a request. */
  check(): void {
    if (this.#isRequested) throw new Failure("interrupted");
  }

  end(): void {
    this.#unsubscribe();
  }
}

import { PairTable } from "../../core/profiles/index.ts";

/** Stacks of indices into a list of frames that may follow later in a document. Stack 0 is empty. */
export class FrameIndexStacks {
  readonly #nodes = new PairTable();

  constructor() {
    this.#nodes.number(0, -1);
  }

  get size(): number {
    return this.#nodes.size;
  }

  called(caller: number, frameIndex: number): number {
    return this.#nodes.number(caller, frameIndex);
  }

  callerOf(stack: number): number {
    return this.#nodes.firstOf(stack);
  }

  frameIndexOf(stack: number): number {
    return this.#nodes.secondOf(stack);
  }
}

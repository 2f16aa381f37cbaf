import { PairTable } from "../../core/profiles/pair-index.ts";

/** Stacks of places in the list of frames, which may come behind what names them. Stack 0 is the empty one. */
export class PlacedStacks {
  readonly #nodes = new PairTable();

  constructor() {
    this.#nodes.number(0, -1);
  }

  get size(): number {
    return this.#nodes.size;
  }

  called(caller: number, place: number): number {
    return this.#nodes.number(caller, place);
  }

  callerOf(stack: number): number {
    return this.#nodes.firstOf(stack);
  }

  placeOf(stack: number): number {
    return this.#nodes.secondOf(stack);
  }
}

import { PairTable } from "./pair-index.ts";

/** More frames would exceed the memory of a process. */
const mostFrames = 2 ** 26;

/**
 * Call stacks as a tree: each stack is a node with its innermost call and the node of the calling stack. Equal stacks
 * are one node and common prefixes are stored once. Node 0 is the empty stack.
 */
export class StackTable<Frame> {
  readonly #frames: Frame[] = [];
  readonly #byKey = new Map<string, number>();
  /** The caller and the call of each node. */
  readonly #nodes = new PairTable();

  constructor() {
    this.#nodes.number(0, -1);
  }

  /** Number of nodes, including the empty stack. Every node is greater than the node of its caller. */
  get size(): number {
    return this.#nodes.size;
  }

  /** By number. */
  get frames(): readonly Frame[] {
    return this.#frames;
  }

  /** The number of a frame; `make` is called for a new `key`. Fails with RangeError beyond 67 million frames. */
  frame(key: string, make: () => Frame): number {
    let number = this.#byKey.get(key);
    if (number === undefined) {
      number = this.#frames.push(make()) - 1;
      if (number >= mostFrames) throw new RangeError("too many frames");
      this.#byKey.set(key, number);
    }
    return number;
  }

  /** The stack in which the innermost call of `caller` calls `frame`. */
  called(caller: number, frame: number): number {
    return this.#nodes.number(caller, frame);
  }

  callerOf(node: number): number {
    return this.#nodes.firstOf(node);
  }

  /** The number of the innermost call; −1 for the empty stack. */
  callOf(node: number): number {
    return this.#nodes.secondOf(node);
  }

  /** The calls of a stack, inner first. */
  framesOf(node: number): Frame[] {
    const frames: Frame[] = [];
    for (let at = node; at > 0; at = this.callerOf(at)) frames.push(this.#frames[this.callOf(at)]!);
    return frames;
  }
}

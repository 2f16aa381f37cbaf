import { PairMap } from "./pair-map.ts";

/** More would need more memory than a process may have. */
const mostFrames = 2 ** 26;

/**
 * Call stacks as a tree, in which each stack is a node: its innermost call, and the node of the stack that made the call. Equal stacks are one node,
 * and what stacks have in common is there once. Node 0 is the empty stack.
 */
export class StackTable<Frame> {
  readonly #frames: Frame[] = [];
  readonly #byKey = new Map<string, number>();
  #parents = new Int32Array(1 << 8);
  #calls = new Int32Array(1 << 8).fill(-1, 0, 1);
  #size = 1;
  readonly #children = new PairMap();

  /** How many nodes there are, with that of the empty stack. Every node is greater than the one of its caller. */
  get size(): number {
    return this.#size;
  }

  /** By number. */
  get frames(): readonly Frame[] {
    return this.#frames;
  }

  /** The number of a frame; `make` is asked when `key` is new. Fails with RangeError beyond 67 million frames. */
  frame(key: string, make: () => Frame): number {
    let number = this.#byKey.get(key);
    if (number === undefined) {
      number = this.#frames.push(make()) - 1;
      if (number >= mostFrames) throw new RangeError("too many frames");
      this.#byKey.set(key, number);
    }
    return number;
  }

  /** The stack in which the innermost call of `caller` made the call `frame`. */
  called(caller: number, frame: number): number {
    let node = this.#children.get(caller, frame);
    if (node < 0) {
      node = this.#size++;
      if (node === this.#parents.length) this.#grow();
      this.#parents[node] = caller;
      this.#calls[node] = frame;
      this.#children.set(caller, frame, node);
    }
    return node;
  }

  callerOf(node: number): number {
    return this.#parents[node] ?? 0;
  }

  /** The number of the innermost call; −1 of the empty stack. */
  callOf(node: number): number {
    return this.#calls[node] ?? -1;
  }

  /** The calls of a stack, inner first. */
  framesOf(node: number): Frame[] {
    const frames: Frame[] = [];
    for (let at = node; at > 0; at = this.callerOf(at)) frames.push(this.#frames[this.#calls[at]!]!);
    return frames;
  }

  #grow(): void {
    const [parents, calls] = [this.#parents, this.#calls];
    this.#parents = new Int32Array(parents.length * 2);
    this.#calls = new Int32Array(calls.length * 2);
    this.#parents.set(parents);
    this.#calls.set(calls);
  }
}

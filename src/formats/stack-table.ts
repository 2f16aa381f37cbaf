/** Frames that one number of a key has room for: with the number of a node beside it, it still is a whole number that a double holds exactly. */
const mostFrames = 2 ** 26;

/**
 * Call stacks as a tree, in which each stack is a node: its innermost call, and the node of the stack that made the call. Equal stacks are one node,
 * and what stacks have in common is there once. Node 0 is the empty stack.
 */
export class StackTable<Frame> {
  readonly #frames: Frame[] = [];
  readonly #byKey = new Map<string, number>();
  readonly #parents: number[] = [0];
  readonly #calls: number[] = [-1];
  readonly #children = new Map<number, number>();

  /** How many nodes there are, with that of the empty stack. Every node is greater than the one of its caller. */
  get size(): number {
    return this.#parents.length;
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
    const key = caller * mostFrames + frame;
    let node = this.#children.get(key);
    if (node === undefined) {
      node = this.#parents.push(caller) - 1;
      this.#calls.push(frame);
      this.#children.set(key, node);
    }
    return node;
  }

  callerOf(node: number): number {
    return this.#parents[node] ?? 0;
  }

  /** The calls of a stack, inner first. */
  framesOf(node: number): Frame[] {
    const frames: Frame[] = [];
    for (let at = node; at > 0; at = this.callerOf(at)) frames.push(this.#frames[this.#calls[at]!]!);
    return frames;
  }
}

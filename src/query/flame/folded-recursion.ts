import { PairTable } from "../../core/pair-table.ts";
import { type CallTree, columnsOf } from "./call-tree.ts";
import { calleesOf, walk } from "./callees.ts";

/**
 * The stacks without recursion: a call of what is already on the stack goes back to that place, so `a;b;a;c` is told as `a;c`. No name is twice on a path, and
 * sums stay as they are.
 */
export function foldedRecursion(tree: CallTree): CallTree {
  const { caller, name, words } = tree;
  const places = new PairTable();
  places.number(0, -1);
  const nodes = new Int32Array(caller.length);
  const path = new OpenPath(words.names.length);
  const enter = (node: number): void => {
    const [above, word] = [nodes[caller[node]!]!, name[node]!];
    const own = path.placeOf(word, above) ?? places.number(above, word);
    nodes[node] = own;
    path.enter(word, own, above);
  };
  const order = Int32Array.from({ length: caller.length - 1 }, (_, at) => at + 1);
  walk(calleesOf(caller, order), caller, enter, () => path.leave());
  const own = new Float64Array(places.size);
  for (let node = 0; node < nodes.length; node++) own[nodes[node]!]! += tree.own[node]!;
  return { words, ...columnsOf(places), own };
}

/** Where the names of the stack that is being told are, as it grows and shrinks. */
class OpenPath {
  /** The depth of each node that was entered. */
  readonly #depths: number[] = [0];
  /** The node at each depth, as far as the stack goes now. */
  readonly #nodes: number[] = [0];
  /** The node of each name, which counts as long as it is on the path. */
  readonly #places: Int32Array;
  readonly #undo: { readonly depth: number; readonly node: number; readonly word: number; readonly place: number }[] =
    [];

  constructor(names: number) {
    this.#places = new Int32Array(names);
  }

  /** The node of a name on the path that ends at `last`. */
  placeOf(word: number, last: number): number | undefined {
    const node = this.#places[word]!;
    const depth = this.#depths[node] ?? 0;
    return node > 0 && depth <= this.#depths[last]! && this.#nodes[depth] === node ? node : undefined;
  }

  enter(word: number, node: number, above: number): void {
    const depth = this.#depths[node] ?? this.#depths[above]! + 1;
    this.#depths[node] = depth;
    this.#undo.push({ depth, node: this.#nodes[depth] ?? 0, word, place: this.#places[word]! });
    this.#nodes[depth] = node;
    this.#places[word] = node;
  }

  leave(): void {
    const { depth, node, word, place } = this.#undo.pop()!;
    this.#nodes[depth] = node;
    this.#places[word] = place;
  }
}

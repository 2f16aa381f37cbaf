/** The nodes below each node of a tree as linked lists; 0 ends a list. */
export interface Callees {
  readonly first: Int32Array;
  readonly next: Int32Array;
}

/** Lists in the order of `nodes`, which has every node but the first of the tree once. */
export function calleesOf(caller: Int32Array, nodes: Int32Array): Callees {
  const [first, next] = [new Int32Array(caller.length), new Int32Array(caller.length)];
  for (let at = nodes.length - 1; at >= 0; at--) {
    const node = nodes[at]!;
    next[node] = first[caller[node]!]!;
    first[caller[node]!] = node;
  }
  return { first, next };
}

/**
 * Goes through a tree depth first, however deep it is: `enter` is told each node but the first, and `leave` after all
 * below it.
 */
export function walk(
  { first, next }: Callees,
  caller: Int32Array,
  enter: (node: number) => void,
  leave: (node: number) => void,
): void {
  let node = first[0]!;
  while (node > 0) {
    enter(node);
    if (first[node]! > 0) {
      node = first[node]!;
      continue;
    }
    leave(node);
    while (next[node] === 0) {
      node = caller[node]!;
      if (node === 0) return;
      leave(node);
    }
    node = next[node]!;
  }
}

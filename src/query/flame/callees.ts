/** The children of each node of a tree as linked lists; 0 ends a list. */
export interface Callees {
  readonly first: Int32Array;
  readonly next: Int32Array;
}

/** Lists in the order of `nodes`, which contains every node except the root once. */
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
 * Walks a tree depth-first without recursion: calls `enter` for each node except the root, and `leave` after its
 * descendants.
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

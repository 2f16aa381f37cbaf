import { PairTable } from "../../core/pair-table.ts";
import { type CallTree, columnsOf } from "./call-tree.ts";

/** What is below the outermost calls of a name, whoever made them: stacks begin with it, and those without it are not told. */
export function belowName(tree: CallTree, word: number): CallTree {
  const { caller, name, words } = tree;
  const places = new PairTable();
  places.number(0, -1);
  const nodes = new Int32Array(caller.length);
  for (let node = 1; node < caller.length; node++) {
    const above = nodes[caller[node]!]!;
    if (above > 0 || name[node] === word) nodes[node] = places.number(above, name[node]!);
  }
  const own = new Float64Array(places.size);
  for (let node = 1; node < nodes.length; node++) if (nodes[node]! > 0) own[nodes[node]!]! += tree.own[node]!;
  return { words, ...columnsOf(places), own };
}

/** What led to the outermost calls of a name: stacks end with it, and those without it are not told. */
export function upToName(tree: CallTree, word: number): CallTree {
  const { caller, name } = tree;
  /** The outermost call on the path of a node. */
  const calls = new Int32Array(caller.length);
  const own = new Float64Array(caller.length);
  for (let node = 1; node < caller.length; node++) {
    const above = calls[caller[node]!]!;
    const call = above > 0 ? above : name[node] === word ? node : 0;
    calls[node] = call;
    if (call > 0) own[call]! += tree.own[node]!;
  }
  return { ...tree, own };
}

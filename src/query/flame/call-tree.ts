import { PairTable } from "../../core/profiles/pair-index.ts";
import { plainName, type StackProfile } from "../../core/profiles/stack-profile.ts";

/**
 * Stacks with their amounts as a tree of names in parallel columns. Node 0 is the empty stack; every node is greater
 * than the one of its caller.
 */
export interface CallTree {
  readonly words: CallNames;
  readonly caller: Int32Array;
  /** Of the innermost call, an index into `words.names`; −1 of node 0. */
  readonly name: Int32Array;
  /** Of the stacks that end there: finite and not negative. */
  readonly own: Float64Array;
}

/** What calls are called, each once, and what holds their code. */
export interface CallNames {
  readonly names: readonly string[];
  /** By name; empty: nobody knows. */
  readonly modules: readonly string[];
}

/** What has no place in a tree of amounts. */
export interface Omitted {
  readonly stacks: number;
  readonly sum: number;
}

/** Samples without a stack. */
const nowhere = "[unknown]";

/** The stacks of a profile with the sums of one of its types, by the names of their calls, all labels added up. */
export function callTree(profile: StackProfile, type: number): { readonly tree: CallTree; readonly leftOut: Omitted } {
  const { stacks } = profile;
  const { words, numbers } = wordsOf(profile);
  const positions = new PairTable();
  positions.number(0, -1);
  const nodes = new Int32Array(stacks.size);
  for (let node = 1; node < stacks.size; node++)
    nodes[node] = positions.number(nodes[stacks.callerOf(node)]!, numbers[stacks.callOf(node)]!);
  nodes[0] = positions.number(0, numbers.at(-1)!);
  const { own, leftOut } = withoutInvalid(sums(profile, type, nodes, positions.size));
  return { tree: { words, ...columnsOf(positions), own }, leftOut };
}

/** The callers and names of nodes that were numbered as pairs of them. */
export function columnsOf(positions: PairTable): Pick<CallTree, "caller" | "name"> {
  const [caller, name] = [new Int32Array(positions.size), new Int32Array(positions.size)];
  for (let node = 0; node < positions.size; node++) {
    caller[node] = positions.firstOf(node);
    name[node] = positions.secondOf(node);
  }
  return { caller, name };
}

/** The number of each frame's name, and that of no frame at the end. */
function wordsOf({ stacks }: StackProfile): { readonly words: CallNames; readonly numbers: Int32Array } {
  const byName = new Map<string, number>();
  const modules: string[] = [];
  const numberOf = (name: string, module: string): number => {
    const known = byName.get(name);
    if (known !== undefined) return known;
    byName.set(name, byName.size);
    return modules.push(module) - 1;
  };
  const numbers = Int32Array.from([...stacks.frames, null], (frame) =>
    frame === null
      ? numberOf(nowhere, "")
      : numberOf(plainName(frame), fileOf(frame.module?.path ?? frame.source ?? "")),
  );
  return { words: { names: [...byName.keys()], modules }, numbers };
}

function fileOf(path: string): string {
  return path.startsWith("[") ? path : path.slice(path.lastIndexOf("/") + 1);
}

function sums({ samples }: StackProfile, type: number, nodes: Int32Array, size: number): Float64Array {
  const own = new Float64Array(size);
  for (let row = 0; row < samples.length; row++) own[nodes[samples.stackOf(row)]!]! += samples.valueOf(row, type);
  return own;
}

/** A box cannot be narrower than nothing. */
function withoutInvalid(own: Float64Array): { readonly own: Float64Array; readonly leftOut: Omitted } {
  let [stacks, sum] = [0, 0];
  for (let node = 0; node < own.length; node++) {
    const amount = own[node]!;
    if (amount >= 0 && amount < Number.POSITIVE_INFINITY) continue;
    stacks += 1;
    sum += amount;
    own[node] = 0;
  }
  return { own, leftOut: { stacks, sum } };
}

import { PairTable, plainName, type StackProfile } from "../../core/profiles/index.ts";

/**
 * Stacks with amounts as a tree of names in parallel columns. Node 0 is the empty stack; callers have smaller indices.
 */
export interface CallTree {
  readonly words: CallNames;
  readonly caller: Int32Array;
  /** Name of the innermost call, an index into `words.names`; −1 for node 0. */
  readonly name: Int32Array;
  /** Amounts of the stacks that end there: finite and not negative. */
  readonly own: Float64Array;
}

/** Distinct names of calls with their modules. */
export interface CallNames {
  readonly names: readonly string[];
  /** By name; empty: unknown. */
  readonly modules: readonly string[];
}

/** Stacks omitted because of invalid amounts. */
export interface Omitted {
  readonly stacks: number;
  readonly sum: number;
}

/** Samples without a stack. */
const nowhere = "[unknown]";

/** The stacks of a profile with the sums of one value type, by call name, over all labels. */
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

/** The callers and names of nodes numbered as pairs of them. */
export function columnsOf(positions: PairTable): Pick<CallTree, "caller" | "name"> {
  const [caller, name] = [new Int32Array(positions.size), new Int32Array(positions.size)];
  for (let node = 0; node < positions.size; node++) {
    caller[node] = positions.firstOf(node);
    name[node] = positions.secondOf(node);
  }
  return { caller, name };
}

/** The index of each frame's name, followed by that of a missing frame. */
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

/** Removes negative and non-finite amounts, which cannot be drawn. */
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

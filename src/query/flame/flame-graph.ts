import { Failure } from "../../core/failures/index.ts";
import type { FlameForm, FlameGraph } from "../../core/figures/index.ts";
import { nearest } from "../../core/text/index.ts";
import { PairTable, type StackProfile } from "../../core/profiles/index.ts";
import { findUnit, type Unit } from "../../core/values/index.ts";
import { type CallTree, callTree, columnsOf } from "./call-tree.ts";
import { calleesOf, walk } from "./callees.ts";
import { valuesOfFrames, layoutOf, startsOf, totalsOf } from "./layout.ts";

/**
 * Folds recursion: a call of a name that is already on the stack returns to its node, so `a;b;a;c` becomes `a;c`. No
 * name occurs twice on a path; sums stay the same.
 */
function foldedRecursion(tree: CallTree): CallTree {
  const { caller, name, words: unitNames } = tree;
  const positions = new PairTable();
  positions.number(0, -1);
  const nodes = new Int32Array(caller.length);
  const path = new OpenPath(unitNames.names.length);
  const enter = (node: number): void => {
    const [above, word] = [nodes[caller[node]!]!, name[node]!];
    const own = path.nodeOf(word, above) ?? positions.number(above, word);
    nodes[node] = own;
    path.enter(word, own, above);
  };
  const order = Int32Array.from({ length: caller.length - 1 }, (_, at) => at + 1);
  walk(calleesOf(caller, order), caller, enter, () => path.leave());
  const own = new Float64Array(positions.size);
  for (let node = 0; node < nodes.length; node++) own[nodes[node]!]! += tree.own[node]!;
  return { words: unitNames, ...columnsOf(positions), own };
}

/** The nodes of the names on the current path. */
class OpenPath {
  /** The depth of each node that was entered. */
  readonly #depths: number[] = [0];
  /** The node at each depth of the current path. */
  readonly #nodes: number[] = [0];
  /** The last node of each name, valid while it is on the path. */
  readonly #nodeOfName: Int32Array;
  readonly #undo: {
    readonly depth: number;
    readonly node: number;
    readonly word: number;
    readonly previous: number;
  }[] = [];

  constructor(names: number) {
    this.#nodeOfName = new Int32Array(names);
  }

  /** The node of a name on the path that ends at `last`. */
  nodeOf(word: number, last: number): number | undefined {
    const node = this.#nodeOfName[word]!;
    const depth = this.#depths[node] ?? 0;
    return node > 0 && depth <= this.#depths[last]! && this.#nodes[depth] === node ? node : undefined;
  }

  enter(word: number, node: number, above: number): void {
    const depth = this.#depths[node] ?? this.#depths[above]! + 1;
    this.#depths[node] = depth;
    this.#undo.push({ depth, node: this.#nodes[depth] ?? 0, word, previous: this.#nodeOfName[word]! });
    this.#nodes[depth] = node;
    this.#nodeOfName[word] = node;
  }

  leave(): void {
    const { depth, node, word, previous } = this.#undo.pop()!;
    this.#nodes[depth] = node;
    this.#nodeOfName[word] = previous;
  }
}

/** Units by profiler unit name. */
const words: ReadonlyMap<string, string> = new Map([
  ["nanoseconds", "ns"],
  ["microseconds", "us"],
  ["milliseconds", "ms"],
  ["seconds", "s"],
  ["bytes", "Byte"],
  ["kilobytes", "kByte"],
  ["megabytes", "MByte"],
]);

/** The unit of a quantity; undefined for counts and unknown names. */
export function unitOfType(word: string): Unit | undefined {
  if (word === "count" || word === "" || word === "none") return undefined;
  return findUnit(words.get(word) ?? word);
}

/** Most nodes of an inverted tree: each stack gets a separate path, which needs many more nodes for deep stacks. */
const mostNodes = 2 ** 24;

/** Inverts the stacks. Fails with `flame-graph-too-large`. */
function invertedTree({ caller, name, own, words }: CallTree): CallTree {
  const positions = new PairTable();
  positions.number(0, -1);
  const ends = new Int32Array(own.length);
  for (let node = 1; node < own.length; node++) {
    if (own[node] === 0) continue;
    let position = 0;
    for (let at = node; at > 0; at = caller[at]!) position = positions.number(position, name[at]!);
    ends[node] = position;
    if (positions.size > mostNodes) throw new Failure("flame-graph-too-large", { frames: mostNodes });
  }
  const inverted = new Float64Array(positions.size);
  for (let node = 1; node < own.length; node++) inverted[ends[node]!]! += own[node]!;
  return { words, ...columnsOf(positions), own: inverted };
}

export interface FlameOptions {
  /** Index of the quantity in the types of the profile; default: the main one. */
  readonly type?: number;
  /** Default: plain. */
  readonly form?: FlameForm;
  /** Folds recursion. */
  readonly merged?: boolean;
  /** Name of a frame: shows only its callees, for all callers; in the inverted form only its callers. */
  readonly focus?: string;
  /** If the focused frame costs nothing or is missing, returns a root without width instead of failing. */
  readonly mayLackFocus?: boolean;
}

/** Name of the root. */
const rootName = "all";

/** The flame graph of a profile. Fails with `nothing-to-draw`, `unknown-frame`, `flame-graph-too-large`. */
export function flameGraph(
  profile: StackProfile,
  { type = profile.main, form = "plain", merged = false, focus, mayLackFocus = false }: FlameOptions,
): FlameGraph {
  const { name, unit } = profile.types[type]!;
  const { tree, leftOut } = callTree(profile, type);
  const whole = sumOf(tree.own);
  if (!(whole > 0 && whole < Number.POSITIVE_INFINITY)) throw nothing(name, leftOut.stacks);
  const folded = merged ? foldedRecursion(tree) : tree;
  const frames = framesOf(focus === undefined ? shaped(folded, form) : focused(folded, form, focus));
  if (focus !== undefined && !mayLackFocus && frames.total[0] === 0) throw costless(tree, name, focus);
  const known = unitOfType(unit);
  return {
    ...frames,
    quantity: name,
    ...(known === undefined ? {} : { unit: known }),
    form,
    ...(merged ? { merged } : {}),
    ...(profile.facts.estimated === true ? { estimated: true } : {}),
    ...(focus === undefined ? {} : { focus, whole }),
    ...(leftOut.stacks === 0 ? {} : { leftOut }),
  };
}

function shaped(tree: CallTree, form: FlameForm): CallTree {
  return form === "plain" ? tree : invertedTree(tree);
}

/** The focused tree, empty for an unknown name. */
function focused(tree: CallTree, form: FlameForm, focus: string): CallTree {
  const word = tree.words.names.indexOf(focus);
  return form === "plain" ? belowName(tree, word) : invertedTree(upToName(tree, word));
}

function costless({ words: { names } }: CallTree, quantity: string, focus: string): Failure {
  if (names.includes(focus))
    return new Failure("nothing-to-draw", { what: `no stack with '${focus}' has ${quantity} above zero` });
  const holding = names.filter((name) => name.includes(focus)).slice(0, 5);
  return new Failure("unknown-frame", {
    frame: focus,
    near: (holding.length > 0 ? holding : nearest(focus, names)).join(", "),
  });
}

function framesOf(
  tree: CallTree,
): Pick<FlameGraph, "names" | "modules" | "name" | "parent" | "depth" | "start" | "total" | "self"> {
  const totals = totalsOf(tree, tree.own);
  const positions = layoutOf(tree, (node) => totals[node]! > 0, tree.words.names.length);
  const { name, parent, depth } = positions;
  const total = valuesOfFrames(totals, positions);
  const names = [...tree.words.names, rootName];
  const start = startsOf(positions, total);
  return {
    names,
    modules: [...tree.words.modules, ""],
    name,
    parent,
    depth,
    start,
    total,
    self: valuesOfFrames(tree.own, positions),
  };
}

function sumOf(own: Float64Array): number {
  let sum = 0;
  for (const amount of own) sum += amount;
  return sum;
}

function nothing(quantity: string, stacks: number): Failure {
  const rest = stacks === 0 ? "" : `, and ${stacks} have negative or infinite amounts, which cannot be drawn`;
  return new Failure("nothing-to-draw", { what: `no stack has ${quantity} above zero${rest}` });
}

/** The stacks below the outermost calls of a name; omits stacks without it. */
function belowName(tree: CallTree, word: number): CallTree {
  const { caller, name, words } = tree;
  const positions = new PairTable();
  positions.number(0, -1);
  const nodes = new Int32Array(caller.length);
  for (let node = 1; node < caller.length; node++) {
    const above = nodes[caller[node]!]!;
    if (above > 0 || name[node] === word) nodes[node] = positions.number(above, name[node]!);
  }
  const own = new Float64Array(positions.size);
  for (let node = 1; node < nodes.length; node++) if (nodes[node]! > 0) own[nodes[node]!]! += tree.own[node]!;
  return { words, ...columnsOf(positions), own };
}

/** The stacks up to the outermost calls of a name; omits stacks without it. */
function upToName(tree: CallTree, word: number): CallTree {
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

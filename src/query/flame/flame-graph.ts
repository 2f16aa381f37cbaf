import { Failure } from "../../core/errors.ts";
import type { FlameForm, FlameGraph } from "../../core/flame-graph.ts";
import { nearest } from "../../core/near-names.ts";
import type { StackProfile } from "../../core/stack-profile.ts";
import { type CallTree, callTree } from "./call-tree.ts";
import { belowName, upToName } from "./focused-tree.ts";
import { foldedRecursion } from "./folded-recursion.ts";
import { invertedTree } from "./inverted-tree.ts";
import { gathered, placesOf, startsOf, totalsOf } from "./laid-out.ts";
import { unitOfType } from "./unit-of-type.ts";

export interface FlameOptions {
  /** Place of the quantity among the types of the profile; default: the main one. */
  readonly type?: number;
  /** Default: plain. */
  readonly form?: FlameForm;
  /** Recursion is folded. */
  readonly merged?: boolean;
  /** The name of a frame: only what is below it is told, whoever called it; of the inverted form: only what called it. */
  readonly focus?: string;
  /** Where the frame in focus costs nothing or is nowhere, the graph is a root without width instead of a failure. */
  readonly mayLackFocus?: boolean;
}

/** What the root is called. */
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
  const frames = laidOut(focus === undefined ? shaped(folded, form) : focused(folded, form, focus));
  if (focus !== undefined && !mayLackFocus && frames.total[0] === 0) throw costless(tree, name, focus);
  const known = unitOfType(unit);
  return {
    ...frames,
    quantity: name,
    ...(known === undefined ? {} : { unit: known }),
    form,
    ...(merged ? { merged } : {}),
    ...(focus === undefined ? {} : { focus, whole }),
    ...(leftOut.stacks === 0 ? {} : { leftOut }),
  };
}

function shaped(tree: CallTree, form: FlameForm): CallTree {
  return form === "plain" ? tree : invertedTree(tree);
}

/** Of a name that is nowhere, the empty tree. */
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

function laidOut(
  tree: CallTree,
): Pick<FlameGraph, "names" | "modules" | "name" | "parent" | "depth" | "start" | "total" | "self"> {
  const totals = totalsOf(tree, tree.own);
  const places = placesOf(tree, (node) => totals[node]! > 0, tree.words.names.length);
  const { name, parent, depth } = places;
  const total = gathered(totals, places);
  const names = [...tree.words.names, rootName];
  const start = startsOf(places, total);
  return {
    names,
    modules: [...tree.words.modules, ""],
    name,
    parent,
    depth,
    start,
    total,
    self: gathered(tree.own, places),
  };
}

function sumOf(own: Float64Array): number {
  let sum = 0;
  for (const amount of own) sum += amount;
  return sum;
}

function nothing(quantity: string, stacks: number): Failure {
  const rest =
    stacks === 0 ? "" : `, and ${stacks} have amounts below zero or beyond all numbers, which cannot be drawn`;
  return new Failure("nothing-to-draw", { what: `no stack has ${quantity} above zero${rest}` });
}

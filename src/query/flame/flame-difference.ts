import { Failure } from "../../core/failures/failure.ts";
import type { FlameGraph } from "../../core/figures/flame-graph.ts";
import { PairTable } from "../../core/profiles/pair-index.ts";
import { convertFactor } from "../../core/values/unit.ts";
import { type CallTree, columnsOf } from "./call-tree.ts";
import { gathered, placesOf, startsOf, totalsOf } from "./layout.ts";

export interface FlameDifferenceOptions {
  /**
   * The amounts of the base profile are scaled so that both whole profiles, whatever is in focus, have the same sum:
   * only shares differ. Default: they stay as they are.
   */
  readonly normalised?: boolean;
  /**
   * Whose amounts boxes are as wide as; of the base profile, frames that vanished can be seen. Default: target. Where
   * one has nothing at all, it is the other.
   */
  readonly widths?: "target" | "base";
}

/**
 * Two flame graphs of one form merged by path: all frames of both, with the amounts of both. Amounts are in the unit of
 * the target. Fails with `flame-graphs-differ` when their forms do, and with `unit-mismatch`.
 */
export function flameDifference(
  base: FlameGraph,
  target: FlameGraph,
  options: FlameDifferenceOptions = {},
): FlameGraph {
  if (formOf(base) !== formOf(target))
    throw new Failure("flame-graphs-differ", { before: formOf(base), after: formOf(target) });
  const factor = convertFactor(base.unit, target.unit);
  const scale = options.normalised === true ? wholeOf(target) / (wholeOf(base) * factor) : 1;
  const both = new BothTrees();
  const [inBase, inTarget] = [both.nodesOf(base), both.nodesOf(target)];
  const before = both.own(inBase, base).map((amount) => amount * factor * scale);
  const shown = columns(
    both.tree(),
    before,
    both.own(inTarget, target),
    wider(base, target, options),
    target.names[target.name[0]!]!,
  );
  return { ...shown, ...told(target), baseScale: scale };
}

/** Boxes are as wide as in the profile that is asked for, if it has something that is wide. */
function wider(base: FlameGraph, target: FlameGraph, { widths = "target" }: FlameDifferenceOptions): "target" | "base" {
  const [asked, other] = widths === "target" ? [target, base] : [base, target];
  if (asked.total[0]! > 0 || other.total[0] === 0) return widths;
  return widths === "target" ? "base" : "target";
}

function wholeOf({ whole, total }: FlameGraph): number {
  return whole ?? total[0]!;
}

function formOf({ form, merged, focus }: FlameGraph): string {
  return [form, ...(merged === true ? ["merged"] : []), ...(focus === undefined ? [] : [`focus ${focus}`])].join(", ");
}

function told({
  quantity,
  unit,
  form,
  merged,
  focus,
}: FlameGraph): Pick<FlameGraph, "quantity" | "unit" | "form" | "merged" | "focus"> {
  return {
    quantity,
    ...(unit === undefined ? {} : { unit }),
    form,
    ...(merged === undefined ? {} : { merged }),
    ...(focus === undefined ? {} : { focus }),
  };
}

/** The frames of two graphs as nodes of one tree. */
class BothTrees {
  readonly #places = new PairTable();
  readonly #words = new Map<string, number>();
  readonly #modules: string[] = [];

  constructor() {
    this.#places.number(0, -1);
  }

  /** The node of each frame. */
  nodesOf({ names, modules, name, parent }: FlameGraph): Int32Array {
    const words = names.map((text, at) => this.#wordOf(text, modules?.[at] ?? ""));
    const nodes = new Int32Array(name.length);
    for (let frame = 1; frame < name.length; frame++)
      nodes[frame] = this.#places.number(nodes[parent[frame]!]!, words[name[frame]!]!);
    return nodes;
  }

  #wordOf(name: string, module: string): number {
    const known = this.#words.get(name);
    if (known !== undefined) return known;
    this.#words.set(name, this.#words.size);
    return this.#modules.push(module) - 1;
  }

  own(nodes: Int32Array, { self }: FlameGraph): Float64Array {
    const own = new Float64Array(this.#places.size);
    for (let frame = 0; frame < nodes.length; frame++) own[nodes[frame]!]! += self[frame]!;
    return own;
  }

  tree(): Omit<CallTree, "own"> {
    return { words: { names: [...this.#words.keys()], modules: this.#modules }, ...columnsOf(this.#places) };
  }
}

function columns(
  tree: Omit<CallTree, "own">,
  base: Float64Array,
  target: Float64Array,
  widths: "target" | "base",
  root: string,
) {
  const { names, modules } = tree.words;
  const [befores, afters] = [totalsOf(tree, base), totalsOf(tree, target)];
  const places = placesOf(tree, (node) => befores[node]! > 0 || afters[node]! > 0, names.indexOf(root));
  const { name, parent, depth } = places;
  const [before, after] = [gathered(befores, places), gathered(afters, places)];
  const total = widths === "base" ? before : after;
  const self = gathered(widths === "base" ? base : target, places);
  return { names, modules, name, parent, depth, start: startsOf(places, total), total, self, before, after };
}

import { Failure } from "../../core/failures/index.ts";
import { type FlameBlock, type TableBlock, type FlameGraph, pathOf } from "../../core/figures/index.ts";
import { PairTable } from "../../core/profiles/index.ts";
import { formatUnit, convertFactor } from "../../core/values/index.ts";
import { type CallTree, columnsOf } from "./call-tree.ts";
import { valuesOfFrames, layoutOf, startsOf, totalsOf } from "./layout.ts";

interface FlameDifferenceOptions {
  /**
   * Scales the amounts of the base profile so that both profiles have the same total, whatever the focus: only shares
   * differ. Default: false.
   */
  readonly normalised?: boolean;
  /**
   * The profile that determines box widths; the base shows vanished frames. Default: target. If one is empty, the
   * other.
   */
  readonly widths?: "target" | "base";
}

/**
 * Merges two flame graphs of one form by path: all frames of both, with the amounts of both in the unit of the target.
 * Fails with `flame-graphs-differ` for different forms, and with `unit-mismatch`.
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
  const isEstimated = base.estimated === true || target.estimated === true;
  const shown = columns(
    both.tree(),
    before,
    both.own(inTarget, target),
    wider(base, target, options),
    target.names[target.name[0]!]!,
  );
  return { ...shown, ...descriptionOf(target), ...(isEstimated ? { estimated: true } : {}), baseScale: scale };
}

/** The requested profile for widths, unless it is empty. */
function wider(base: FlameGraph, target: FlameGraph, { widths = "target" }: FlameDifferenceOptions): "target" | "base" {
  const [requested, other] = widths === "target" ? [target, base] : [base, target];
  if (requested.total[0]! > 0 || other.total[0] === 0) return widths;
  return widths === "target" ? "base" : "target";
}

function wholeOf({ whole, total }: FlameGraph): number {
  return whole ?? total[0]!;
}

function formOf({ form, merged, focus }: FlameGraph): string {
  return [form, ...(merged === true ? ["merged"] : []), ...(focus === undefined ? [] : [`focus ${focus}`])].join(", ");
}

function descriptionOf({
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
  readonly #nodes = new PairTable();
  readonly #words = new Map<string, number>();
  readonly #modules: string[] = [];

  constructor() {
    this.#nodes.number(0, -1);
  }

  /** The node of each frame. */
  nodesOf({ names, modules, name, parent }: FlameGraph): Int32Array {
    const words = names.map((text, at) => this.#wordOf(text, modules?.[at] ?? ""));
    const nodes = new Int32Array(name.length);
    for (let frame = 1; frame < name.length; frame++)
      nodes[frame] = this.#nodes.number(nodes[parent[frame]!]!, words[name[frame]!]!);
    return nodes;
  }

  #wordOf(name: string, module: string): number {
    const known = this.#words.get(name);
    if (known !== undefined) return known;
    this.#words.set(name, this.#words.size);
    return this.#modules.push(module) - 1;
  }

  own(nodes: Int32Array, { self }: FlameGraph): Float64Array {
    const own = new Float64Array(this.#nodes.size);
    for (let frame = 0; frame < nodes.length; frame++) own[nodes[frame]!]! += self[frame]!;
    return own;
  }

  tree(): Omit<CallTree, "own"> {
    return { words: { names: [...this.#words.keys()], modules: this.#modules }, ...columnsOf(this.#nodes) };
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
  const positions = layoutOf(tree, (node) => befores[node]! > 0 || afters[node]! > 0, names.indexOf(root));
  const { name, parent, depth } = positions;
  const [before, after] = [valuesOfFrames(befores, positions), valuesOfFrames(afters, positions)];
  const total = widths === "base" ? before : after;
  const self = valuesOfFrames(widths === "base" ? base : target, positions);
  return { names, modules, name, parent, depth, start: startsOf(positions, total), total, self, before, after };
}

/** Most rows of the table. */
const mostRows = 15;
/** Number of innermost calls shown of a path. */
const shownCalls = 2;

export interface DifferenceLook
  extends
    Pick<FlameBlock, "caption" | "intensity" | "grows" | "minWidth" | "frameHeight" | "width">,
    FlameDifferenceOptions {}

/**
 * Blocks that show the difference of two flame graphs of one form: a merged graph and, if any, a table of the widest
 * frames that only the other profile has. Fails like `flameDifference`.
 */
export function differenceBlocks(
  base: FlameGraph,
  target: FlameGraph,
  look: DifferenceLook = {},
): (FlameBlock | TableBlock)[] {
  const { normalised, widths = "target", ...rest } = look;
  const graph = flameDifference(base, target, { widths, ...(normalised === undefined ? {} : { normalised }) });
  const unseen =
    graph.before?.[0] === 0 || graph.after?.[0] === 0
      ? null
      : framesOnlyIn(graph, widths === "target" ? "base" : "target");
  return [{ kind: "flame", graph, ...rest }, ...(unseen === null ? [] : [unseen])];
}

/** The outermost frames that only one profile has, the largest first; null: none. */
function framesOnlyIn(graph: FlameGraph, profile: "base" | "target"): TableBlock | null {
  const { parent, before, after, unit, quantity } = graph;
  const [own, other] = profile === "base" ? [before, after] : [after, before];
  if (own === undefined || other === undefined) return null;
  const isOnly = (frame: number): boolean => own[frame]! > 0 && other[frame] === 0;
  const frames = [...own.keys()].filter((frame) => isOnly(frame) && (frame === 0 || !isOnly(parent[frame]!)));
  if (frames.length === 0) return null;
  const rows = frames.sort((a, b) => own[b]! - own[a]! || a - b).slice(0, mostRows);
  const more = frames.length > rows.length ? `, the greatest ${rows.length} of ${frames.length}` : "";
  return {
    kind: "table",
    caption: `Frames of the ${profile} profile alone${more}`,
    head: [
      { label: `amount [${formatUnit(unit) || quantity}]`, align: "right" },
      { label: "share", align: "right" },
      { label: "frame", align: "left" },
      { label: "called by", align: "left" },
    ],
    rows: rows.map((frame) => [
      numberText(own[frame]!),
      `${((own[frame]! / own[0]!) * 100).toFixed(1)} %`,
      ...frameCells(graph, frame),
    ]),
  };
}

function numberText(amount: number): string {
  return String(Number.isInteger(amount) ? amount : Number(amount.toPrecision(6)));
}

function frameCells(graph: FlameGraph, frame: number): [name: string, callers: string] {
  const path = pathOf(graph, frame);
  const callers = path.slice(0, -1);
  const shown = callers.slice(-shownCalls).join(" > ");
  return [path.at(-1) ?? graph.names[graph.name[0]!]!, callers.length > shownCalls ? `… > ${shown}` : shown];
}

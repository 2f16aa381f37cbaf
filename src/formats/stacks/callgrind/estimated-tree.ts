import { StackSamples, type StackFrame, StackTable } from "../../../core/profiles/index.ts";

/** The calls of one function by another, with their inclusive cost in the main event. */
export interface CallEdge {
  readonly caller: number;
  readonly callee: number;
  readonly calls: number;
  readonly cost: number;
}

/** Functions by number, with the calls between them. */
export interface CostedCalls {
  readonly functions: readonly StackFrame[];
  /** Own cost of a function in an event; the main event is 0. */
  self(number: number, event: number): number;
  readonly events: number;
  readonly edges: readonly CallEdge[];
}

/** Above this number of nodes, cheap calls are merged. */
const maxNodes = 4000;
/** The first cost that is too small if there are too many nodes, as a share of the whole, and its growth. */
const [leastShare, growth] = [1e-6, 2];

/** Caller of functions whose calls are merged. */
const merged: StackFrame = { function: "[smaller calls]" };

/**
 * Estimates a call tree from a call graph, as gprof, KCachegrind and gprof2dot do: the cost of a function is divided
 * among its callers in proportion to the cost of their calls, wherever it is called from. Recursive calls are not
 * followed. Own costs are whole numbers, and their sums by function are exact.
 */
export function estimatedTree(calls: CostedCalls): {
  readonly stacks: StackTable<StackFrame>;
  readonly samples: StackSamples;
} {
  const graph = new SharedCalls(calls);
  const whole = graph.roots.reduce((sum, root) => sum + graph.inclusive[root]!, 0);
  let least = Number.MIN_VALUE;
  for (let tree = expanded(graph, least); ; tree = expanded(graph, least)) {
    if (tree !== undefined) return new TreeSamples(calls).of(graph, tree);
    least = Math.max(whole * leastShare, least * growth);
  }
}

/** A call with the share of the costs of its callee that it has. */
interface SharedCall {
  readonly callee: number;
  readonly share: number;
}

/** The call graph without recursion, and the inclusive cost of each function in it. */
class SharedCalls {
  readonly calls: readonly (readonly SharedCall[])[];
  /** Callers before callees. */
  readonly order: readonly number[];
  /** Functions without a caller. */
  readonly roots: readonly number[];
  readonly inclusive: Float64Array;

  constructor({ functions, self, edges }: CostedCalls) {
    const byCaller = functions.map((): CallEdge[] => []);
    for (const edge of edges) if (edge.caller !== edge.callee) byCaller[edge.caller]!.push(edge);
    for (const own of byCaller) own.sort((a, b) => b.cost - a.cost || a.callee - b.callee);
    const { order, kept } = withoutRecursion(byCaller);
    const [costs, counts] = [new Float64Array(functions.length), new Float64Array(functions.length)];
    for (const { callee, cost, calls } of kept.flat()) {
      costs[callee]! += cost;
      counts[callee]! += calls;
    }
    const shareOf = ({ callee, cost, calls }: CallEdge): number =>
      costs[callee]! > 0 ? cost / costs[callee]! : calls / counts[callee]!;
    this.calls = kept.map((own) => own.map((edge) => ({ callee: edge.callee, share: shareOf(edge) })));
    this.order = order;
    this.roots = order.filter((number) => counts[number] === 0);
    this.inclusive = Float64Array.from(functions, (_, number) => self(number, 0));
    for (const caller of order.toReversed())
      for (const { callee, share } of this.calls[caller]!) this.inclusive[caller]! += share * this.inclusive[callee]!;
  }
}

/** Depth-first: drops calls of functions that are on the path, the most expensive calls first. */
function withoutRecursion(byCaller: readonly (readonly CallEdge[])[]): {
  readonly order: readonly number[];
  readonly kept: readonly (readonly CallEdge[])[];
} {
  const isCalled = new Set(byCaller.flat().map(({ callee }) => callee));
  const kept = byCaller.map((): CallEdge[] => []);
  const state = new Uint8Array(byCaller.length);
  const [unseen, open, done] = [0, 1, 2];
  const finished: number[] = [];
  const visit = (start: number): void => {
    const path = [{ at: start, next: 0 }];
    state[start] = open;
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const edge = byCaller[top.at]![top.next++];
      if (edge === undefined) {
        state[top.at] = done;
        finished.push(top.at);
        path.pop();
        continue;
      }
      if (state[edge.callee] === open) continue;
      kept[edge.caller]!.push(edge);
      if (state[edge.callee] !== unseen) continue;
      state[edge.callee] = open;
      path.push({ at: edge.callee, next: 0 });
    }
  };
  const numbers = [...byCaller.keys()];
  for (const root of [...numbers.filter((number) => !isCalled.has(number)), ...numbers])
    if (state[root] === unseen) visit(root);
  return { order: finished.toReversed(), kept };
}

/** A node of the tree: a function with its share of all calls of the function. */
interface TreeNode {
  readonly number: number;
  /** Index of the caller; −1 for a root. */
  readonly caller: number;
  readonly share: number;
}

interface ExpandedTree {
  /** Callers before callees. */
  readonly nodes: readonly TreeNode[];
  /** By function: the share that has no node. */
  readonly rest: Float64Array;
}

/** The calls with an inclusive cost of at least `least`; undefined if they are too many. */
function expanded({ calls, order, roots, inclusive }: SharedCalls, least: number): ExpandedTree | undefined {
  const nodes: TreeNode[] = roots.map((number) => ({ number, caller: -1, share: 1 }));
  const most = maxNodes + roots.length;
  const rest = new Float64Array(calls.length);
  for (let caller = 0; caller < nodes.length; caller++) {
    const { number, share: part } = nodes[caller]!;
    for (const { callee, share } of calls[number]!) {
      if (part * share * inclusive[callee]! < least) rest[callee]! += part * share;
      else if (nodes.push({ number: callee, caller, share: part * share }) > most) return undefined;
    }
  }
  for (const caller of order) for (const { callee, share } of calls[caller]!) rest[callee]! += rest[caller]! * share;
  return { nodes, rest };
}

/** Divides the own costs of functions among their nodes, without losing a unit. */
class TreeSamples {
  readonly #calls: CostedCalls;
  readonly #stacks = new StackTable<StackFrame>();
  readonly #samples: StackSamples;
  /** By function: the sum of the shares, and the costs (by event) that are divided, and the last row. */
  readonly #shares: Float64Array;
  readonly #given: Float64Array;
  readonly #last: Int32Array;

  constructor(calls: CostedCalls) {
    const { functions, events } = calls;
    this.#calls = calls;
    this.#samples = new StackSamples(events);
    this.#shares = new Float64Array(functions.length);
    this.#given = new Float64Array(functions.length * events);
    this.#last = new Int32Array(functions.length).fill(-1);
  }

  of({ order }: SharedCalls, { nodes, rest }: ExpandedTree) {
    const stackOf = new Int32Array(nodes.length);
    nodes.forEach(({ number, caller, share }, at) => {
      stackOf[at] = this.#stacks.called(caller < 0 ? 0 : (stackOf[caller] ?? 0), this.#frame(number));
      this.#give(number, share, stackOf[at]);
    });
    for (const number of order) if (rest[number]! > 0) this.#give(number, rest[number]!, this.#merged(number));
    for (const number of order) this.#give(number, 1 - this.#shares[number]!, undefined);
    return { stacks: this.#stacks, samples: this.#samples };
  }

  #merged(number: number): number {
    return this.#stacks.called(
      this.#stacks.called(
        0,
        this.#stacks.frame("", () => merged),
      ),
      this.#frame(number),
    );
  }

  #frame(number: number): number {
    return this.#stacks.frame(String(number), () => this.#calls.functions[number]!);
  }

  /** Rounds sums instead of parts. `stack`: the last one of the function, if undefined. */
  #give(number: number, share: number, stack: number | undefined): void {
    const { events, self } = this.#calls;
    const sum = (this.#shares[number]! += share);
    for (let event = 0; event < events; event++) {
      const at = number * events + event;
      const amount = Math.round(sum * self(number, event)) - this.#given[at]!;
      if (amount === 0) continue;
      const last = stack === undefined ? this.#last[number]! : -1;
      const row = last < 0 ? this.#samples.row(stack ?? this.#merged(number)) : last;
      this.#samples.addTo(row, event, amount);
      this.#given[at]! += amount;
      this.#last[number] = row;
    }
  }
}

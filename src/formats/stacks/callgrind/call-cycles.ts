import type { CallGraph } from "./callgrind-graph.ts";

/** Cost of a function with what it calls. */
export interface InclusiveCost {
  readonly cost: number;
  /**
   * The number, from 1, of the cycle of several functions that call each other which this one is part of; null: of
   * none. What it costs the others is not known then, and the cost is that of the function itself and of its calls out
   * of the cycle. A function that calls only itself is no cycle.
   */
  readonly cycle: number | null;
}

/** For each function of a graph. A call of the cycle, or of the function itself, is part of what is counted already. */
export function inclusiveCosts(graph: CallGraph): InclusiveCost[] {
  const component = components(graph);
  const sizes = new Map<number, number>();
  for (const number of component) sizes.set(number, (sizes.get(number) ?? 0) + 1);
  const cycles = [...sizes].filter(([, size]) => size > 1).map(([number]) => number);
  return graph.functions.map(({ self, callees }, at) => {
    const outside = [...callees].filter(([callee]) => component[callee] !== component[at]);
    const cost = outside.reduce((sum, [, calls]) => sum + calls.cost, self);
    const place = cycles.indexOf(component[at]!);
    return { cost, cycle: place < 0 ? null : place + 1 };
  });
}

/**
 * Tarjan's strongly connected components, without recursion: graphs of programs are deep. By function the number of its
 * component.
 */
function components({ functions }: CallGraph): Int32Array {
  const component = new Int32Array(functions.length).fill(-1);
  const order = new Int32Array(functions.length).fill(-1);
  const lowest = new Int32Array(functions.length);
  const stack: number[] = [];
  let [visited, found] = [0, 0];
  const visit = (start: number): void => {
    const path = [{ at: start, next: functions[start]!.callees.keys() }];
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const { at, next } = top;
      if (order[at] === -1) {
        order[at] = lowest[at] = visited++;
        stack.push(at);
      }
      const step = next.next();
      if (!step.done) {
        if (order[step.value] === -1) path.push({ at: step.value, next: functions[step.value]!.callees.keys() });
        else if (component[step.value] === -1) lowest[at] = Math.min(lowest[at]!, order[step.value]!);
        continue;
      }
      path.pop();
      const parent = path.at(-1)?.at;
      if (parent !== undefined) lowest[parent] = Math.min(lowest[parent]!, lowest[at]!);
      if (lowest[at] === order[at]) take(at);
    }
  };
  const take = (root: number): void => {
    for (let member = -1; member !== root;) {
      member = stack.pop()!;
      component[member] = found;
    }
    found++;
  };
  for (let at = 0; at < functions.length; at++) if (order[at] === -1) visit(at);
  return component;
}

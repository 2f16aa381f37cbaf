import fc from "fast-check";
import { expect, test } from "vitest";
import { StackTable } from "./stack-table.ts";

/** The node of a stack, from its calls, outermost first. */
function nodeOf(stacks: StackTable<string>, calls: readonly string[]): number {
  return calls.reduce(
    (caller, call) =>
      stacks.called(
        caller,
        stacks.frame(call, () => call),
      ),
    0,
  );
}

test("equal stacks are one node, returned innermost first", () => {
  fc.assert(
    fc.property(fc.array(fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 6 }), { maxLength: 40 }), (all) => {
      const stacks = new StackTable<string>();
      const nodes = all.map((calls) => nodeOf(stacks, calls));
      for (const [at, calls] of all.entries()) {
        expect(stacks.framesOf(nodes[at]!)).toEqual(calls.toReversed());
        expect(nodes.indexOf(nodes[at]!)).toBe(all.findIndex((other) => other.join() === calls.join()));
      }
      const prefixes = new Set(all.flatMap((calls) => calls.map((_, at) => calls.slice(0, at + 1).join())));
      expect(stacks.size).toBe(prefixes.size + 1);
    }),
  );
});

test("a node is greater than the node of its caller", () => {
  const stacks = new StackTable<string>();
  const node = nodeOf(stacks, ["main", "sort", "sort", "compare"]);
  expect([node > stacks.callerOf(node), stacks.callerOf(0), stacks.framesOf(0)]).toEqual([true, 0, []]);
});

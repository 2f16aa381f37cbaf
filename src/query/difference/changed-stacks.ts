import type { ChangedStacks } from "../../core/figures/difference-figure.ts";
import type { CostChange } from "../../core/profiles/profile-difference.ts";

/**
 * Which of the stacks that changed (`by: "stack"`, the greatest first) end with a function, as a look-up by the
 * function's row.
 */
export function stacksOfFunctions(stacks: readonly CostChange[]): ChangedStacks {
  const known = new Map<string, CostChange[]>();
  for (const stack of stacks) {
    const word = stack.name.slice(stack.name.lastIndexOf(";") + 1);
    const others = known.get(word);
    if (others === undefined) known.set(word, [stack]);
    else others.push(stack);
  }
  return ({ name, renamedFrom }) =>
    [...new Set([name, renamedFrom?.name ?? name])].flatMap((each) => known.get(callOf(each)) ?? []);
}

/** A function's name as a call in the name of a stack, where `;` parts calls. */
function callOf(name: string): string {
  return name.replaceAll(";", ",");
}

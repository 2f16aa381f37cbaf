import { StackTable } from "../../../core/profiles/index.ts";
import { frameOf, isRoot, listOf, notV8, numberOf, objectOf, readV8Stream, type V8Frame } from "./v8-profile.ts";

/**
 * Reads a `.heapprofile`, the type SamplingHeapProfile of the Chrome DevTools Protocol (domain HeapProfiler): estimated
 * live bytes at its end, by allocating stack. Fails with `not-v8-profile`.
 */
export async function readHeapProfile(
  source: AsyncIterable<Uint8Array>,
  file: string,
  stacks: StackTable<V8Frame> = new StackTable(),
): Promise<Map<number, number>> {
  let head: unknown;
  await readV8Stream(source, file, async (key, json) =>
    key === "head" ? void (head = await json.value()) : json.skip(),
  );
  return sizesBelow(head, file, stacks);
}

function sizesBelow(head: unknown, file: string, stacks: StackTable<V8Frame>): Map<number, number> {
  const sizes = new Map<number, number>();
  const pending: { readonly value: unknown; readonly caller: number }[] = [{ value: head, caller: 0 }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const node = objectOf(next.value, file, "a node");
    const { key, frame } = frameOf(node, file);
    const stack =
      next.caller === 0 && isRoot(frame)
        ? 0
        : stacks.called(
            next.caller,
            stacks.frame(key, () => frame),
          );
    const size = numberOf(node["selfSize"], file, "the selfSize of a node");
    if (size < 0) throw notV8(file, "a node has a negative selfSize");
    if (size > 0) sizes.set(stack, (sizes.get(stack) ?? 0) + size);
    for (const value of listOf(node["children"] ?? [], file, "the children of a node"))
      pending.push({ value, caller: stack });
  }
  return sizes;
}

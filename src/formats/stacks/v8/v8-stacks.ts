import { StackSamples, type StackFrame, type StackProfile } from "../../../core/profiles/stack-profile.ts";
import { StackTable } from "../../../core/profiles/stack-table.ts";
import { readCpuProfile } from "./cpuprofile.ts";
import { readHeapProfile } from "./heapprofile.ts";
import type { V8Frame } from "./v8-profile.ts";

/**
 * A `.cpuprofile` as stacks (what is above all functions is none): samples, and the microseconds until the next one.
 * Fails with `not-v8-profile`.
 */
export async function cpuProfileStacks(source: AsyncIterable<Uint8Array>, file: string): Promise<StackProfile> {
  const stacks = new StackTable<V8Frame>();
  const { self, samples: counts } = await readCpuProfile(source, file, stacks);
  const samples = new StackSamples(2);
  for (const [stack, count] of counts) if (stack > 0) samples.add(stack, [count, self.get(stack) ?? 0]);
  const types = [
    { name: "samples", unit: "count" },
    { name: "time", unit: "microseconds" },
  ];
  return { stacks: withNames(stacks), types, main: 0, samples, facts: {} };
}

/** A `.heapprofile` as stacks of the bytes that are alive. Fails with `not-v8-profile`. */
export async function heapProfileStacks(source: AsyncIterable<Uint8Array>, file: string): Promise<StackProfile> {
  const stacks = new StackTable<V8Frame>();
  const samples = new StackSamples(1);
  for (const [stack, size] of await readHeapProfile(source, file, stacks)) if (stack > 0) samples.add(stack, [size]);
  return { stacks: withNames(stacks), types: [{ name: "space", unit: "bytes" }], main: 0, samples, facts: {} };
}

/** The same nodes with frames of the general form: as many, in the same order. */
function withNames(stacks: StackTable<V8Frame>): StackTable<StackFrame> {
  const named = new StackTable<StackFrame>();
  for (const [at, frame] of stacks.frames.entries()) named.frame(String(at), () => v8StackFrame(frame));
  for (let node = 1; node < stacks.size; node++) named.called(stacks.callerOf(node), stacks.callOf(node));
  return named;
}

/** A function of V8's; one without a name is told as V8's own tools do. */
export function v8StackFrame({ function: name, url, line }: V8Frame): StackFrame {
  return { function: name || "(anonymous)", ...(url === "" ? {} : { source: url, ...(line > 0 ? { line } : {}) }) };
}

import { Failure } from "../../../core/failures/index.ts";
import { type StackProfile, StackTable } from "../../../core/profiles/index.ts";
import { PerfCounts } from "./perf-counts.ts";
import { readPerfFrame, type PerfFrame } from "./perf-frame.ts";
import { PerfSampleReader, type PerfSample } from "./perf-samples.ts";
import { keyOf, plainCalls, type PlainCall } from "./plain-call.ts";

/**
 * Reads samples of `perf script` with perf's frames. Skips the address 0, which perf prints after a broken chain of
 * frame pointers.
 */
export class PerfScriptReader extends PerfSampleReader<PerfFrame> {
  constructor(take: (sample: PerfSample) => void, stacks: StackTable<PerfFrame> = new StackTable()) {
    super(take, stacks, (line) => {
      if (/^\s*0\s+\[unknown\]/.test(line)) return [];
      const frame = readPerfFrame(line);
      return frame === null
        ? null
        : [stacks.frame(`${frame.symbol ?? ""}\n${frame.module ?? ""}\n${frame.isInlined}`, () => frame)];
    });
  }
}

/**
 * Reads the output of `perf script` as stacks with the command as outermost call. Only samples of the first event
 * count, because events do not add up; a sample counts its period, or 1 without one. Memory grows with the number of
 * distinct stacks. Fails with `not-perf-script`.
 */
export async function readPerfStacks(source: AsyncIterable<Uint8Array>, file: string): Promise<StackProfile> {
  const counts = new PerfCounts();
  const calls = new StackTable<PlainCall>();
  const reader = new PerfSampleReader(
    ({ command, event, period, stack }) => counts.count(command, event, period, stack),
    calls,
    (line) => plainCalls(line)?.map((call) => calls.frame(keyOf(call), () => call)) ?? null,
  );
  for await (const piece of source) reader.push(piece);
  if (reader.end(file).samples === 0) throw new Failure("not-perf-script", { file });
  return counts.profile(calls);
}

import { StackTable } from "../../../core/profiles/stack-table.ts";
import { readPerfFrame, type PerfFrame } from "./perf-frame.ts";
import { PerfSampleReader, type PerfSample } from "./perf-samples.ts";

/**
 * Reads samples of `perf script` with frames as perf tells them. The address 0, which follows where a chain of frame
 * pointers breaks, is none.
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

// Logs of traced programs: allocations, calls, bpftrace output and symbol tables, and the scripts for bpftrace.
// Used by collectors; heap profilers share its frames and trace rules.
// Never starts a program or attaches a probe.

export {
  type AllocationLog,
  type LoadedModule,
  type LoggedStack,
  allocationCalls,
  decodeAllocationLog,
} from "./allocation-log.ts";
export {
  ProbeLog,
  type ProbedFunction,
  type StaticProbe,
  type StaticProbeName,
  endProbeOf,
  isProbeName,
  isProbePath,
  countScript,
  probeScript,
  readCallCounts,
  readStaticProbes,
} from "./bpftrace.ts";
export { type CallLog, type CallLogStop, decodeCallLog } from "./call-log.ts";
export {
  type Frame,
  type Trace,
  type TraceRules,
  Traces,
  isAllocator,
  isSystemLibrary,
  maxTraceDepth,
  relativeSource,
  unreachable,
} from "./call-trace.ts";
export { type ThreadCalls, endings } from "./calls.ts";
export { type FunctionSymbol, matchesName, readSymbols, symbolsByAddress } from "./symbol-table.ts";

// Readers and printers of stack profiles: pprof, OTLP, JFR, Perfetto, speedscope, folded, Firefox, V8, perf, heaps.
// Used by profile readers, collectors and the conversion of profiles.
// Never runs a profiler or opens files; callers decompress whole files.

export {
  type CallGraph,
  type GraphFunction,
  inclusiveCosts,
  readCallGraph,
  readCallgrindTotals,
} from "./callgrind/callgrind-graph.ts";
export { readCallgrind } from "./callgrind/callgrind-stacks.ts";
export { readGprof } from "./callgrind/gprof.ts";
export { foldedShare, foldedText, readFolded } from "./folded.ts";
export { readGecko } from "./gecko/gecko.ts";
export { readDhat } from "./heap/dhat.ts";
export type { HeapReport } from "./heap/heap-report.ts";
export { heapRun, heapStacks, heapSubjects } from "./heap/heap-rows.ts";
export { readHeaptrack } from "./heap/heaptrack.ts";
export { readMassif } from "./heap/massif.ts";
export { isCali, readCali } from "./hpc/cali.ts";
export { readCaliper } from "./hpc/caliper.ts";
export { readHatchet } from "./hpc/hatchet.ts";
export { isTau, readTau, readTauFiles, type TauFile } from "./hpc/tau.ts";
export { isJfr } from "./jfr/jfr-chunk.ts";
export { readJfr } from "./jfr/jfr.ts";
export { isOtlp } from "./otlp/otlp-message.ts";
export { readOtlp } from "./otlp/otlp.ts";
export { readPerfData } from "./perf-data/perf-data.ts";
export { isPerfData } from "./perf-data/perf-file.ts";
export type { LocalFiles } from "./perf-data/perf-modules.ts";
export { type PerfFrame, frameName, isKernel, moduleName } from "./perf/perf-frame.ts";
export { eventName, readPerfHeader } from "./perf/perf-header.ts";
export type { PerfSample } from "./perf/perf-samples.ts";
export { PerfScriptReader, readPerfStacks } from "./perf/perf-script.ts";
export { isPerfetto, readPerfetto } from "./perfetto/perfetto.ts";
export { isPprofLegacy } from "./pprof/pprof-legacy-forms.ts";
export { readPprofLegacy } from "./pprof/pprof-legacy.ts";
export { printPprof } from "./pprof/pprof-print.ts";
export { isPprof, readPprof } from "./pprof/pprof.ts";
export { speedscopeText } from "./speedscope-print.ts";
export { isPstats, readPstats } from "./python/pstats.ts";
export { readSpeedscope } from "./speedscope.ts";
export { stackRun } from "./stack-rows.ts";
export { readCpuProfile } from "./v8/cpuprofile.ts";
export { readHeapProfile } from "./v8/heapprofile.ts";
export { readTraceEvents } from "./v8/trace-events.ts";
export type { V8Frame } from "./v8/v8-profile.ts";
export { cpuProfileStacks, heapProfileStacks } from "./v8/v8-stacks.ts";

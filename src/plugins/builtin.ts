import type { Checker } from "./checkers/checker.ts";
import type { Collector } from "./collectors/collector.ts";
import type { Detector } from "./detectors/detector.ts";
import type { EnginePlugin } from "./engines/engine.ts";
import type { Generator } from "./generators/generator.ts";
import type { Importer } from "./importers/importer.ts";
import type { Postprocessor } from "./postprocessors/postprocessor.ts";
import type { Reader } from "./readers/reader.ts";
import type { Renderer } from "./renderers/renderer.ts";
import type { VcsPlugin } from "./vcs/vcs.ts";
import type { View } from "./views/view.ts";

/** The kinds of plug-ins and their contracts. */
export interface PluginOf {
  vcs: VcsPlugin;
  engine: EnginePlugin;
  collector: Collector;
  generator: Generator;
  importer: Importer;
  postprocessor: Postprocessor;
  reader: Reader;
  checker: Checker;
  detector: Detector;
  view: View;
  renderer: Renderer;
}

/** A built-in plug-in, loaded lazily. */
export interface BuiltIn<K extends keyof PluginOf = keyof PluginOf> {
  readonly kind: K;
  readonly name: string;
  readonly aliases?: readonly string[];
  /** For version control systems: name of the folder in the root of its repositories. */
  readonly mark?: string;
  /** For engines: the schemes of their addresses; an engine without one opens files. */
  readonly schemes?: readonly string[];
  load(): Promise<PluginOf[K]>;
}

/** A plug-in of Perun without a replacement of the same name; its profiles remain readable. */
export interface Retired {
  readonly kind: keyof PluginOf;
  readonly name: string;
  readonly reason: string;
  readonly instead: string;
}

export const retired: readonly Retired[] = [
  {
    kind: "collector",
    name: "bounds",
    reason: "it requires Loopus, which exists only as an old binary without source",
    instead: "its profiles are still readable; to analyse complexity, use the collector complexity or trace",
  },
];

/** Built-ins of one kind: name, loader, aliases. */
const builtIn =
  <K extends keyof PluginOf>(kind: K) =>
  (name: string, load: () => Promise<PluginOf[K]>, aliases: readonly string[] = []): BuiltIn<K> => ({
    kind,
    name,
    ...(aliases.length === 0 ? {} : { aliases }),
    load,
  });

const vcs = builtIn("vcs");
const engine = builtIn("engine");
const importer = builtIn("importer");
const collector = builtIn("collector");
const generator = builtIn("generator");
const postprocessor = builtIn("postprocessor");
const reader = builtIn("reader");
const checker = builtIn("checker");
const detector = builtIn("detector");
const view = builtIn("view");
const renderer = builtIn("renderer");

/** All built-in plug-ins. */
export const builtins: readonly BuiltIn[] = [
  { ...vcs("git", async () => (await import("./vcs/git.ts")).git), mark: ".git" },
  { ...vcs("hg", async () => (await import("./vcs/hg.ts")).hg, ["mercurial"]), mark: ".hg" },
  { ...vcs("tagit", async () => (await import("./vcs/tagit.ts")).tagit), mark: ".tagit" },

  engine("duckdb", async () => (await import("./engines/duckdb.ts")).duckdb),
  {
    ...engine("postgres", async () => (await import("./engines/postgres.ts")).postgres),
    schemes: ["postgres", "postgresql"],
  },

  importer("description", async () => (await import("./importers/description/description.ts")).description),
  importer("asv", async () => (await import("./importers/python/asv.ts")).asv),
  importer("asv-console", async () => (await import("./importers/python/asv-console.ts")).asvConsole),
  importer("autocannon", async () => (await import("./importers/javascript/json-reports.ts")).autocannon),
  importer("benchmark-ips", async () => (await import("./importers/managed/ruby-benchmark.ts")).benchmarkIps),
  importer("benchmark-luau", async () => (await import("./importers/managed/benchmark-luau.ts")).benchmarkLuau),
  importer("benchmarkdotnet", async () => (await import("./importers/managed/benchmarkdotnet.ts")).benchmarkdotnet),
  importer("benchmarkjs", async () => (await import("./importers/javascript/benchmarkjs.ts")).benchmarkjs),
  importer("benny", async () => (await import("./importers/javascript/json-reports.ts")).benny),
  importer("bmf", async () => (await import("./importers/interchange/bmf.ts")).bmf),
  importer("cargo-bench", async () => (await import("./importers/native/cargo-bench.ts")).cargoBench),
  importer("catch2", async () => (await import("./importers/native/catch2.ts")).catch2),
  importer("catch2-xml", async () => (await import("./importers/native/catch2.ts")).catch2Xml),
  importer("console-time", async () => (await import("./importers/javascript/console-time.ts")).consoleTime),
  importer("criterion", async () => (await import("./importers/native/criterion.ts")).criterion),
  importer("criterion-json", async () => (await import("./importers/native/criterion.ts")).criterionJson),
  importer("csv", async () => (await import("./importers/interchange/csv.ts")).csv),
  importer("json", async () => (await import("./importers/interchange/json.ts")).json),
  importer("ndjson", async () => (await import("./importers/interchange/ndjson.ts")).ndjson),
  importer("custom-bigger", async () => (await import("./importers/interchange/custom-benchmarks.ts")).customBigger),
  importer("custom-smaller", async () => (await import("./importers/interchange/custom-benchmarks.ts")).customSmaller),
  importer("dart", async () => (await import("./importers/managed/dart.ts")).dart),
  importer("deno-bench", async () => (await import("./importers/javascript/json-reports.ts")).denoBench),
  importer("fio", async () => (await import("./importers/tools/fio.ts")).fio),
  importer("go-bench", async () => (await import("./importers/native/go-bench.ts")).goBench),
  importer("google-benchmark", async () => (await import("./importers/native/google-benchmark.ts")).googleBenchmark),
  importer("gungraun", async () => (await import("./importers/native/gungraun.ts")).gungraun, ["iai-callgrind"]),
  importer("gungraun-json", async () => (await import("./importers/native/gungraun.ts")).gungraunJson),
  importer("hdr-histogram", async () => (await import("./importers/tools/hdr-histogram.ts")).hdrHistogram, ["hlog"]),
  importer("hyperfine", async () => (await import("./importers/tools/hyperfine.ts")).hyperfine),
  importer("iai", async () => (await import("./importers/native/gungraun.ts")).iai),
  importer("jmh", async () => (await import("./importers/managed/jmh.ts")).jmh),
  importer("julia", async () => (await import("./importers/managed/julia.ts")).julia),
  importer("junit", async () => (await import("./importers/interchange/junit.ts")).junit),
  importer("k6", async () => (await import("./importers/tools/k6.ts")).k6),
  importer("mitata", async () => (await import("./importers/javascript/json-reports.ts")).mitata),
  importer("openssl-speed", async () => (await import("./importers/tools/openssl-speed.ts")).opensslSpeed),
  importer("parquet", async () => (await import("./importers/interchange/parquet.ts")).parquet),
  importer("perfkeep-export", async () => (await import("./importers/interchange/perfkeep-export.ts")).perfkeepExport),
  importer("perf-stat", async () => (await import("./importers/tools/perf-stat.ts")).perfStat),
  importer("perl-benchmark", async () => (await import("./importers/managed/perl-benchmark.ts")).perlBenchmark),
  importer("pgbench", async () => (await import("./importers/tools/pgbench.ts")).pgbench),
  importer("phoronix", async () => (await import("./importers/tools/phoronix.ts")).phoronix),
  importer("pyperf", async () => (await import("./importers/python/pyperf.ts")).pyperf),
  importer("pytest-benchmark", async () => (await import("./importers/python/pytest-benchmark.ts")).pytestBenchmark),
  importer("redis-benchmark", async () => (await import("./importers/tools/redis-benchmarks.ts")).redisBenchmark, [
    "valkey-benchmark",
  ]),
  importer("ruby-benchmark", async () => (await import("./importers/managed/ruby-benchmark.ts")).rubyBenchmark),
  importer("sysbench", async () => (await import("./importers/tools/sysbench.ts")).sysbench),
  importer("time", async () => (await import("./importers/tools/time.ts")).time, ["gnu-time"]),
  importer("tinybench", async () => (await import("./importers/javascript/tinybench.ts")).tinybench),
  importer("tinybench-json", async () => (await import("./importers/javascript/tinybench.ts")).tinybenchJson),
  importer("vitest", async () => (await import("./importers/javascript/vitest.ts")).vitest),
  importer("wrk", async () => (await import("./importers/tools/load-generators.ts")).wrk, ["wrk2"]),
  importer("gromacs", async () => (await import("./importers/hpc/molecular-dynamics.ts")).gromacs),
  importer("hpcc", async () => (await import("./importers/hpc/hpc-suites.ts")).hpcc),
  importer("hpcg", async () => (await import("./importers/hpc/hpc-suites.ts")).hpcg),
  importer("hpl", async () => (await import("./importers/hpc/compute-benchmarks.ts")).hpl),
  importer("imb", async () => (await import("./importers/hpc/mpi-benchmarks.ts")).imb),
  importer("ior", async () => (await import("./importers/hpc/storage-benchmarks.ts")).ior),
  importer("iozone", async () => (await import("./importers/hpc/storage-benchmarks.ts")).iozone),
  importer("benchexec", async () => (await import("./importers/interchange/junit.ts")).benchexec),
  importer("extra-p", async () => (await import("./importers/hpc/experiment-logs.ts")).extraP),
  importer("jube", async () => (await import("./importers/hpc/hpc-suites.ts")).jube),
  importer("iperf3", async () => (await import("./importers/hpc/system-benchmarks.ts")).iperf3),
  importer("lammps", async () => (await import("./importers/hpc/molecular-dynamics.ts")).lammps),
  importer("llama-bench", async () => (await import("./importers/hpc/pipe-tables.ts")).llamaBench),
  importer("memtier", async () => (await import("./importers/tools/redis-benchmarks.ts")).memtier, [
    "memtier_benchmark",
  ]),
  importer("mdtest", async () => (await import("./importers/hpc/storage-benchmarks.ts")).mdtest),
  importer("namd", async () => (await import("./importers/hpc/molecular-dynamics.ts")).namd),
  importer("npb", async () => (await import("./importers/hpc/compute-benchmarks.ts")).npb),
  importer("nsys", async () => (await import("./importers/tools/gpu-statistics.ts")).nsys),
  importer("rocprof", async () => (await import("./importers/tools/gpu-statistics.ts")).rocprof),
  importer("osu", async () => (await import("./importers/hpc/mpi-benchmarks.ts")).osu),
  importer("reframe-perflog", async () => (await import("./importers/hpc/pipe-tables.ts")).reframePerflog),
  importer("reframe-report", async () => (await import("./importers/hpc/pipe-tables.ts")).reframeReport),
  importer("mlperf", async () => (await import("./importers/hpc/experiment-logs.ts")).mlperf, ["mllog"]),
  importer("stress-ng", async () => (await import("./importers/hpc/system-benchmarks.ts")).stressNg),
  importer("jmeter", async () => (await import("./importers/tools/load-generators.ts")).jmeter, ["jtl"]),
  importer("ab", async () => (await import("./importers/tools/http-clients.ts")).ab),
  importer("hey", async () => (await import("./importers/tools/http-clients.ts")).hey),
  importer("vegeta", async () => (await import("./importers/tools/http-clients.ts")).vegeta),
  importer("ycsb", async () => (await import("./importers/tools/load-generators.ts")).ycsb),
  importer("stream", async () => (await import("./importers/hpc/compute-benchmarks.ts")).stream),

  collector("complexity", async () => (await import("./collectors/complexity.ts")).complexity),
  collector("command", async () => (await import("./collectors/command.ts")).command),
  collector("counters", async () => (await import("./collectors/counters.ts")).counters),
  collector("memory", async () => (await import("./collectors/memory.ts")).memory),
  collector("node", async () => (await import("./collectors/node.ts")).node, ["node-cpu"]),
  collector("node-heap", async () => (await import("./collectors/node-heap.ts")).nodeHeap),
  collector("perf", async () => (await import("./collectors/perf.ts")).perf, ["kperf"]),
  collector("time", async () => (await import("./collectors/time.ts")).time),
  collector("trace", async () => (await import("./collectors/trace.ts")).trace),

  generator("external", async () => (await import("./generators/external.ts")).external),
  generator("integer", async () => (await import("./generators/simple-words.ts")).integer),
  generator("singleton", async () => (await import("./generators/simple-words.ts")).singleton),
  generator("string", async () => (await import("./generators/simple-words.ts")).string),
  generator("textfile", async () => (await import("./generators/textfile.ts")).textfile),

  postprocessor("filter", async () => (await import("./postprocessors/filter.ts")).filter),
  postprocessor("normalizer", async () => (await import("./postprocessors/normalizer.ts")).normalizer),
  postprocessor("clusterizer", async () => (await import("./postprocessors/clusterizer.ts")).clusterizer),
  postprocessor(
    "regression-analysis",
    async () => (await import("./postprocessors/regression-analysis.ts")).regressionAnalysis,
  ),
  postprocessor(
    "kernel-regression",
    async () => (await import("./postprocessors/kernel-regression.ts")).kernelRegression,
  ),
  postprocessor("moving-average", async () => (await import("./postprocessors/moving-average.ts")).movingAverage),
  postprocessor("regressogram", async () => (await import("./postprocessors/regressogram.ts")).regressogram),

  reader("caliper", async () => (await import("./readers/call-graphs.ts")).caliper),
  reader("callgrind", async () => (await import("./readers/call-graphs.ts")).callgrind),
  reader("cpuprofile", async () => (await import("./readers/browser-profiles.ts")).cpuprofile),
  reader("dhat", async () => (await import("./readers/heap-profilers.ts")).dhat),
  reader("folded", async () => (await import("./readers/exchange-formats.ts")).folded),
  reader("gecko", async () => (await import("./readers/browser-profiles.ts")).gecko, ["firefox"]),
  reader("gprof", async () => (await import("./readers/call-graphs.ts")).gprof),
  reader("hatchet", async () => (await import("./readers/call-graphs.ts")).hatchet),
  reader("heapprofile", async () => (await import("./readers/browser-profiles.ts")).heapprofile),
  reader("heaptrack", async () => (await import("./readers/heap-profilers.ts")).heaptrack),
  reader("jfr", async () => (await import("./readers/exchange-formats.ts")).jfr),
  reader("massif", async () => (await import("./readers/heap-profilers.ts")).massif),
  reader("otlp", async () => (await import("./readers/exchange-formats.ts")).otlp),
  reader("perf-data", async () => (await import("./readers/perf.ts")).perfData),
  reader("perfetto", async () => (await import("./readers/browser-profiles.ts")).perfetto),
  reader("perf-script", async () => (await import("./readers/perf.ts")).perfScript),
  reader("pprof", async () => (await import("./readers/exchange-formats.ts")).pprof),
  reader("pprof-legacy", async () => (await import("./readers/exchange-formats.ts")).pprofLegacy),
  reader("pstats", async () => (await import("./readers/call-graphs.ts")).pstats, ["cprofile"]),
  reader("speedscope", async () => (await import("./readers/exchange-formats.ts")).speedscope),
  reader("tau", async () => (await import("./readers/call-graphs.ts")).tau),
  reader("trace-events", async () => (await import("./readers/browser-profiles.ts")).traceEvents, ["chrome-trace"]),

  checker("average-amount", async () => (await import("./checkers/average-amount.ts")).averageAmount, [
    "average_amount_threshold",
    "aat",
  ]),
  checker("best-model-order", async () => (await import("./checkers/best-model-order.ts")).bestModelOrder, [
    "best_model_order_equality",
    "bmoe",
  ]),
  checker(
    "exclusive-time-outliers",
    async () => (await import("./checkers/exclusive-time-outliers.ts")).exclusiveTimeOutliers,
    ["eto"],
  ),
  checker("fast-check", async () => (await import("./checkers/regression-checkers.ts")).fastCheck, ["fast"]),
  checker("integral-comparison", async () => (await import("./checkers/integral-comparison.ts")).integralComparison, [
    "int",
  ]),
  checker("linear-regression", async () => (await import("./checkers/regression-checkers.ts")).linearRegression, [
    "lreg",
  ]),
  checker("local-statistics", async () => (await import("./checkers/local-statistics.ts")).localStatisticsChecker, [
    "loc",
  ]),
  checker(
    "polynomial-regression",
    async () => (await import("./checkers/regression-checkers.ts")).polynomialRegression,
    ["preg"],
  ),
  checker("statistics", async () => (await import("./checkers/statistics.ts")).statistics, ["stat"]),

  detector("ensemble", async () => (await import("./detectors/ensemble.ts")).ensemble),
  detector("e-divisive", async () => (await import("./detectors/e-divisive.ts")).eDivisive),
  detector("e-divisive-otava", async () => (await import("./detectors/e-divisive.ts")).eDivisiveOtava, ["otava"]),
  detector("perfherder", async () => (await import("./detectors/step-detectors.ts")).perfherder),
  detector("asv-step", async () => (await import("./detectors/step-detectors.ts")).asvStep, ["asv"]),
  detector("pelt", async () => (await import("./detectors/step-detectors.ts")).pelt),
  detector("threshold", async () => (await import("./detectors/step-detectors.ts")).threshold),

  view("alloclist", async () => (await import("./views/alloclist.ts")).alloclist),
  view("bars", async () => (await import("./views/bars.ts")).bars),
  view("flow", async () => (await import("./views/flow.ts")).flow),
  view("scatter", async () => (await import("./views/scatter.ts")).scatter),
  view("heapmap", async () => (await import("./views/heap-map.ts")).heapMap, ["heap-map", "heap"]),
  view("heatmap", async () => (await import("./views/heat-map.ts")).heatMap, ["heat-map", "heat"]),
  view("flamegraph", async () => (await import("./views/flame-graph.ts")).flameGraphView, ["flame-graph", "flame"]),
  view("flamechart", async () => (await import("./views/flame-graph.ts")).flameChartView, ["flame-chart"]),
  view("raw", async () => (await import("./views/raw.ts")).raw),
  view("tableof", async () => (await import("./views/table-of.ts")).tableOf, ["table-of"]),

  renderer("text", async () => (await import("./renderers/text.ts")).text),
  renderer("csv", async () => (await import("./renderers/csv.ts")).csv),
  renderer("gnuplot", async () => (await import("./renderers/gnuplot.ts")).gnuplot),
  renderer("html", async () => (await import("./renderers/html.ts")).html),
  renderer("json", async () => (await import("./renderers/json.ts")).json),
  renderer("latex", async () => (await import("./renderers/latex.ts")).latex),
  renderer("markdown", async () => (await import("./renderers/markdown.ts")).markdown),
  renderer("png", async () => (await import("./renderers/png.ts")).png),
  renderer("table", async () => (await import("./renderers/table.ts")).table),
  renderer("svg", async () => (await import("./renderers/svg.ts")).svg),
];

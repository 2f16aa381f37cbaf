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

/** A built-in plug-in: known by name from the start, loaded when it is asked for. */
export interface BuiltIn<K extends keyof PluginOf = keyof PluginOf> {
  readonly kind: K;
  readonly name: string;
  readonly aliases?: readonly string[];
  /** Of a version control system: what lies in the root of its repositories. */
  readonly mark?: string;
  load(): Promise<PluginOf[K]>;
}

/** A plug-in of Perun's that cannot be built any more; what it made before is read like everything else. */
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
    reason: "it runs Loopus, a program of which there is only an old binary and no source",
    instead: "profiles that it made are still read; to see how cost grows, use the collector complexity or trace",
  },
];

/** The one list of built-ins. */
export const builtins: readonly BuiltIn[] = [
  { kind: "vcs", name: "git", mark: ".git", load: async () => (await import("./vcs/git.ts")).git },
  { kind: "vcs", name: "hg", aliases: ["mercurial"], mark: ".hg", load: async () => (await import("./vcs/hg.ts")).hg },
  { kind: "vcs", name: "tagit", mark: ".tagit", load: async () => (await import("./vcs/tagit.ts")).tagit },

  { kind: "engine", name: "duckdb", load: async () => (await import("./engines/duckdb.ts")).duckdb },
  { kind: "engine", name: "postgres", load: async () => (await import("./engines/postgres.ts")).postgres },

  {
    kind: "importer",
    name: "description",
    load: async () => (await import("./importers/description/description.ts")).description,
  },
  { kind: "importer", name: "asv", load: async () => (await import("./importers/python/asv.ts")).asv },
  {
    kind: "importer",
    name: "asv-console",
    load: async () => (await import("./importers/python/asv-console.ts")).asvConsole,
  },
  {
    kind: "importer",
    name: "benchmark-ips",
    load: async () => (await import("./importers/managed/benchmark-ips.ts")).benchmarkIps,
  },
  {
    kind: "importer",
    name: "benchmark-luau",
    load: async () => (await import("./importers/managed/benchmark-luau.ts")).benchmarkLuau,
  },
  {
    kind: "importer",
    name: "benchmarkdotnet",
    load: async () => (await import("./importers/managed/benchmarkdotnet.ts")).benchmarkdotnet,
  },
  {
    kind: "importer",
    name: "benchmarkjs",
    load: async () => (await import("./importers/javascript/benchmarkjs.ts")).benchmarkjs,
  },
  { kind: "importer", name: "bmf", load: async () => (await import("./importers/interchange/bmf.ts")).bmf },
  {
    kind: "importer",
    name: "cargo-bench",
    load: async () => (await import("./importers/native/cargo-bench.ts")).cargoBench,
  },
  { kind: "importer", name: "catch2", load: async () => (await import("./importers/native/catch2.ts")).catch2 },
  {
    kind: "importer",
    name: "catch2-xml",
    load: async () => (await import("./importers/native/catch2-xml.ts")).catch2Xml,
  },
  {
    kind: "importer",
    name: "console-time",
    load: async () => (await import("./importers/javascript/console-time.ts")).consoleTime,
  },
  {
    kind: "importer",
    name: "criterion",
    load: async () => (await import("./importers/native/criterion.ts")).criterion,
  },
  {
    kind: "importer",
    name: "criterion-json",
    load: async () => (await import("./importers/native/criterion-json.ts")).criterionJson,
  },
  { kind: "importer", name: "csv", load: async () => (await import("./importers/interchange/csv.ts")).csv },
  { kind: "importer", name: "ndjson", load: async () => (await import("./importers/interchange/ndjson.ts")).ndjson },
  {
    kind: "importer",
    name: "custom-bigger",
    load: async () => (await import("./importers/interchange/custom-bigger.ts")).customBigger,
  },
  {
    kind: "importer",
    name: "custom-smaller",
    load: async () => (await import("./importers/interchange/custom-smaller.ts")).customSmaller,
  },
  { kind: "importer", name: "dart", load: async () => (await import("./importers/managed/dart.ts")).dart },
  { kind: "importer", name: "fio", load: async () => (await import("./importers/tools/fio.ts")).fio },
  { kind: "importer", name: "go-bench", load: async () => (await import("./importers/native/go-bench.ts")).goBench },
  {
    kind: "importer",
    name: "google-benchmark",
    load: async () => (await import("./importers/native/google-benchmark.ts")).googleBenchmark,
  },
  {
    kind: "importer",
    name: "gungraun",
    aliases: ["iai-callgrind"],
    load: async () => (await import("./importers/native/gungraun.ts")).gungraun,
  },
  {
    kind: "importer",
    name: "gungraun-json",
    load: async () => (await import("./importers/native/gungraun-json.ts")).gungraunJson,
  },
  { kind: "importer", name: "hyperfine", load: async () => (await import("./importers/tools/hyperfine.ts")).hyperfine },
  { kind: "importer", name: "iai", load: async () => (await import("./importers/native/iai.ts")).iai },
  { kind: "importer", name: "jmh", load: async () => (await import("./importers/managed/jmh.ts")).jmh },
  { kind: "importer", name: "julia", load: async () => (await import("./importers/managed/julia.ts")).julia },
  { kind: "importer", name: "junit", load: async () => (await import("./importers/interchange/junit.ts")).junit },
  { kind: "importer", name: "k6", load: async () => (await import("./importers/tools/k6.ts")).k6 },
  {
    kind: "importer",
    name: "openssl-speed",
    load: async () => (await import("./importers/tools/openssl-speed.ts")).opensslSpeed,
  },
  { kind: "importer", name: "parquet", load: async () => (await import("./importers/interchange/parquet.ts")).parquet },
  { kind: "importer", name: "perf-stat", load: async () => (await import("./importers/tools/perf-stat.ts")).perfStat },
  { kind: "importer", name: "pgbench", load: async () => (await import("./importers/tools/pgbench.ts")).pgbench },
  { kind: "importer", name: "phoronix", load: async () => (await import("./importers/tools/phoronix.ts")).phoronix },
  { kind: "importer", name: "pyperf", load: async () => (await import("./importers/python/pyperf.ts")).pyperf },
  {
    kind: "importer",
    name: "pytest-benchmark",
    load: async () => (await import("./importers/python/pytest-benchmark.ts")).pytestBenchmark,
  },
  {
    kind: "importer",
    name: "redis-benchmark",
    aliases: ["valkey-benchmark"],
    load: async () => (await import("./importers/tools/redis-benchmark.ts")).redisBenchmark,
  },
  {
    kind: "importer",
    name: "ruby-benchmark",
    load: async () => (await import("./importers/managed/ruby-benchmark.ts")).rubyBenchmark,
  },
  { kind: "importer", name: "sysbench", load: async () => (await import("./importers/tools/sysbench.ts")).sysbench },
  {
    kind: "importer",
    name: "time",
    aliases: ["gnu-time"],
    load: async () => (await import("./importers/tools/time.ts")).time,
  },
  {
    kind: "importer",
    name: "tinybench",
    load: async () => (await import("./importers/javascript/tinybench.ts")).tinybench,
  },
  {
    kind: "importer",
    name: "tinybench-json",
    load: async () => (await import("./importers/javascript/tinybench-json.ts")).tinybenchJson,
  },
  { kind: "importer", name: "vitest", load: async () => (await import("./importers/javascript/vitest.ts")).vitest },
  {
    kind: "importer",
    name: "wrk",
    aliases: ["wrk2"],
    load: async () => (await import("./importers/tools/wrk.ts")).wrk,
  },

  { kind: "collector", name: "complexity", load: async () => (await import("./collectors/complexity.ts")).complexity },
  { kind: "collector", name: "command", load: async () => (await import("./collectors/command.ts")).command },
  { kind: "collector", name: "counters", load: async () => (await import("./collectors/counters.ts")).counters },
  { kind: "collector", name: "memory", load: async () => (await import("./collectors/memory.ts")).memory },
  {
    kind: "collector",
    name: "node",
    aliases: ["node-cpu"],
    load: async () => (await import("./collectors/node.ts")).node,
  },
  { kind: "collector", name: "node-heap", load: async () => (await import("./collectors/node-heap.ts")).nodeHeap },
  {
    kind: "collector",
    name: "perf",
    aliases: ["kperf"],
    load: async () => (await import("./collectors/perf.ts")).perf,
  },
  { kind: "collector", name: "time", load: async () => (await import("./collectors/time.ts")).time },
  { kind: "collector", name: "trace", load: async () => (await import("./collectors/trace.ts")).trace },

  { kind: "generator", name: "external", load: async () => (await import("./generators/external.ts")).external },
  { kind: "generator", name: "integer", load: async () => (await import("./generators/integer.ts")).integer },
  { kind: "generator", name: "singleton", load: async () => (await import("./generators/singleton.ts")).singleton },
  { kind: "generator", name: "string", load: async () => (await import("./generators/string.ts")).string },
  { kind: "generator", name: "textfile", load: async () => (await import("./generators/textfile.ts")).textfile },

  { kind: "postprocessor", name: "filter", load: async () => (await import("./postprocessors/filter.ts")).filter },
  {
    kind: "postprocessor",
    name: "normalizer",
    load: async () => (await import("./postprocessors/normalizer.ts")).normalizer,
  },
  {
    kind: "postprocessor",
    name: "clusterizer",
    load: async () => (await import("./postprocessors/clusterizer.ts")).clusterizer,
  },
  {
    kind: "postprocessor",
    name: "regression-analysis",
    load: async () => (await import("./postprocessors/regression-analysis.ts")).regressionAnalysis,
  },
  {
    kind: "postprocessor",
    name: "kernel-regression",
    load: async () => (await import("./postprocessors/kernel-regression.ts")).kernelRegression,
  },
  {
    kind: "postprocessor",
    name: "moving-average",
    load: async () => (await import("./postprocessors/moving-average.ts")).movingAverage,
  },
  {
    kind: "postprocessor",
    name: "regressogram",
    load: async () => (await import("./postprocessors/regressogram.ts")).regressogram,
  },

  { kind: "reader", name: "callgrind", load: async () => (await import("./readers/callgrind.ts")).callgrind },
  { kind: "reader", name: "cpuprofile", load: async () => (await import("./readers/cpuprofile.ts")).cpuprofile },
  { kind: "reader", name: "dhat", load: async () => (await import("./readers/heap-profilers.ts")).dhat },
  { kind: "reader", name: "folded", load: async () => (await import("./readers/folded.ts")).folded },
  { kind: "reader", name: "gecko", aliases: ["firefox"], load: async () => (await import("./readers/gecko.ts")).gecko },
  { kind: "reader", name: "heapprofile", load: async () => (await import("./readers/heapprofile.ts")).heapprofile },
  { kind: "reader", name: "heaptrack", load: async () => (await import("./readers/heap-profilers.ts")).heaptrack },
  { kind: "reader", name: "massif", load: async () => (await import("./readers/heap-profilers.ts")).massif },
  { kind: "reader", name: "perf-script", load: async () => (await import("./readers/perf-script.ts")).perfScript },
  { kind: "reader", name: "pprof", load: async () => (await import("./readers/pprof.ts")).pprof },
  { kind: "reader", name: "pprof-legacy", load: async () => (await import("./readers/pprof-legacy.ts")).pprofLegacy },
  { kind: "reader", name: "speedscope", load: async () => (await import("./readers/speedscope.ts")).speedscope },
  {
    kind: "reader",
    name: "trace-events",
    aliases: ["chrome-trace"],
    load: async () => (await import("./readers/trace-events.ts")).traceEvents,
  },

  {
    kind: "checker",
    name: "average-amount",
    aliases: ["average_amount_threshold", "aat"],
    load: async () => (await import("./checkers/average-amount.ts")).averageAmount,
  },
  {
    kind: "checker",
    name: "best-model-order",
    aliases: ["best_model_order_equality", "bmoe"],
    load: async () => (await import("./checkers/best-model-order.ts")).bestModelOrder,
  },
  {
    kind: "checker",
    name: "exclusive-time-outliers",
    aliases: ["eto"],
    load: async () => (await import("./checkers/exclusive-time-outliers.ts")).exclusiveTimeOutliers,
  },
  {
    kind: "checker",
    name: "fast-check",
    aliases: ["fast"],
    load: async () => (await import("./checkers/fast-check.ts")).fastCheck,
  },
  {
    kind: "checker",
    name: "integral-comparison",
    aliases: ["int"],
    load: async () => (await import("./checkers/integral-comparison.ts")).integralComparison,
  },
  {
    kind: "checker",
    name: "linear-regression",
    aliases: ["lreg"],
    load: async () => (await import("./checkers/linear-regression.ts")).linearRegression,
  },
  {
    kind: "checker",
    name: "local-statistics",
    aliases: ["loc"],
    load: async () => (await import("./checkers/local-statistics.ts")).localStatisticsChecker,
  },
  {
    kind: "checker",
    name: "polynomial-regression",
    aliases: ["preg"],
    load: async () => (await import("./checkers/polynomial-regression.ts")).polynomialRegression,
  },

  { kind: "detector", name: "ensemble", load: async () => (await import("./detectors/ensemble.ts")).ensemble },
  { kind: "detector", name: "e-divisive", load: async () => (await import("./detectors/e-divisive.ts")).eDivisive },
  {
    kind: "detector",
    name: "e-divisive-otava",
    aliases: ["otava"],
    load: async () => (await import("./detectors/e-divisive-otava.ts")).eDivisiveOtava,
  },
  { kind: "detector", name: "perfherder", load: async () => (await import("./detectors/perfherder.ts")).perfherder },
  {
    kind: "detector",
    name: "asv-step",
    aliases: ["asv"],
    load: async () => (await import("./detectors/asv-step.ts")).asvStep,
  },
  { kind: "detector", name: "pelt", load: async () => (await import("./detectors/pelt.ts")).pelt },
  { kind: "detector", name: "threshold", load: async () => (await import("./detectors/threshold.ts")).threshold },

  { kind: "view", name: "alloclist", load: async () => (await import("./views/alloclist.ts")).alloclist },
  { kind: "view", name: "bars", load: async () => (await import("./views/bars.ts")).bars },
  { kind: "view", name: "flow", load: async () => (await import("./views/flow.ts")).flow },
  { kind: "view", name: "scatter", load: async () => (await import("./views/scatter.ts")).scatter },
  {
    kind: "view",
    name: "heapmap",
    aliases: ["heap-map", "heap"],
    load: async () => (await import("./views/heap-map.ts")).heapMap,
  },
  {
    kind: "view",
    name: "heatmap",
    aliases: ["heat-map", "heat"],
    load: async () => (await import("./views/heat-map.ts")).heatMap,
  },
  {
    kind: "view",
    name: "flamegraph",
    aliases: ["flame-graph", "flame"],
    load: async () => (await import("./views/flame-graph.ts")).flameGraphView,
  },
  { kind: "view", name: "raw", load: async () => (await import("./views/raw.ts")).raw },
  {
    kind: "view",
    name: "tableof",
    aliases: ["table-of"],
    load: async () => (await import("./views/table-of.ts")).tableOf,
  },

  { kind: "renderer", name: "text", load: async () => (await import("./renderers/text.ts")).text },
  { kind: "renderer", name: "csv", load: async () => (await import("./renderers/csv.ts")).csv },
  { kind: "renderer", name: "gnuplot", load: async () => (await import("./renderers/gnuplot.ts")).gnuplot },
  { kind: "renderer", name: "html", load: async () => (await import("./renderers/html.ts")).html },
  { kind: "renderer", name: "json", load: async () => (await import("./renderers/json.ts")).json },
  { kind: "renderer", name: "latex", load: async () => (await import("./renderers/latex.ts")).latex },
  { kind: "renderer", name: "markdown", load: async () => (await import("./renderers/markdown.ts")).markdown },
  { kind: "renderer", name: "png", load: async () => (await import("./renderers/png.ts")).png },
  { kind: "renderer", name: "table", load: async () => (await import("./renderers/table.ts")).table },
  { kind: "renderer", name: "svg", load: async () => (await import("./renderers/svg.ts")).svg },
];

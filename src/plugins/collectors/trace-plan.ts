import { Failure } from "../../core/failures/index.ts";
import type { Values } from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import { type FunctionChoice, linesOf, maxSampling, readChoice } from "./calls/function-selection.ts";
import { refuseUnsupported, type UnsupportedOption, unsupportedVariables } from "./calls/unsupported-options.ts";
import { collectorOption as option, countOf } from "./collector.ts";
import { type RunPlan, stoppableRunOptions, timeoutOf } from "./run-plan.ts";

/** Limit of rows, which are kept in memory. */
const maxCalls = 20_000_000;

/** Default sampling of Perun's sampled strategies. */
const defaultSampling = 20;

export const traceEngines = ["instrument", "uprobes", "callgrind"] as const;

export type TraceEngine = (typeof traceEngines)[number];

/** `stap` and `ebpf` are Perun's; `stap`, its default, selects the best available engine. */
const engineNames: Readonly<Record<string, TraceEngine | null>> = {
  auto: null,
  instrument: "instrument",
  uprobes: "uprobes",
  callgrind: "callgrind",
  stap: null,
  ebpf: "uprobes",
};

const strategies = ["userspace", "all", "u_sampled", "a_sampled", "custom"] as const;

const switchOption = { type: "boolean", ignoredValue: false } as const;
const everyCall = "omit it; perfkeep show PROFILE tableof prints every call";
const messages = "omit it; --verbose prints what is done";

const unsupported: readonly UnsupportedOption[] = [
  {
    name: "dynamic",
    type: "text",
    ignoredValue: null,
    reason: "probes defined with perf have no names",
    instead: "select the function with func",
  },
  { name: "zip-temps", ...switchOption, reason: "there are no temporary files", instead: everyCall },
  { name: "keep-temps", ...switchOption, reason: "there are no temporary files", instead: everyCall },
  { name: "verbose-trace", ...switchOption, reason: "there is no verbose event log", instead: everyCall },
  { name: "quiet", ...switchOption, reason: "it is an option of the program", instead: "perfkeep collect --quiet" },
  { name: "watchdog", ...switchOption, reason: "it observes SystemTap, which is not used", instead: messages },
  { name: "diagnostics", ...switchOption, reason: "it observes SystemTap, which is not used", instead: messages },
  { name: "stap-cache-off", ...switchOption, reason: "there is no cache of SystemTap", always: true },
  {
    name: "no-profile",
    ...switchOption,
    reason: "the result is always a profile",
    instead: "omit it, and perfkeep rm the profile",
  },
];

export const traceOptions: readonly Variable[] = [
  {
    ...option("engine", "string", "auto", "how to trace calls: instrument, uprobes, callgrind"),
    valid: Object.keys(engineNames),
  },
  option("func", "text", null, "functions, one per line: LIBRARY#FUNCTION:ARGUMENT#SAMPLE, only FUNCTION is required"),
  option("usdt", "text", null, "static probes (USDT), one per line: LIBRARY#PROBE#SAMPLE, only PROBE is required"),
  option("with-usdt", "boolean", null, "all static probes of the program and its libraries"),
  {
    ...option("strategy", "string", null, "further functions: userspace, all, or one of them sampled"),
    valid: strategies,
  },
  option("global-sampling", "integer", 1, "record every Nth call of a function"),
  option("binary", "string", null, "program to trace (default: the first word of the command)"),
  option("libs", "text", null, "libraries to trace, too, one per line"),
  option("mangled", "boolean", false, "use linker names for C++ functions, like Perun"),
  option("limit", "integer", 1_000_000, "maximum calls per process; the job fails above"),
  ...stoppableRunOptions("the calls"),
  {
    ...option("output-handling", "string", "default", "option of Perun: suppress means keep-output: false"),
    valid: ["default", "capture", "suppress"],
  },
  ...unsupportedVariables(unsupported),
];

export interface TracePlan extends RunPlan {
  /** null: the best available. */
  readonly engine: TraceEngine | null;
  readonly choices: readonly FunctionChoice[];
  readonly probes: readonly FunctionChoice[];
  /** All static probes, too. */
  readonly withProbes: boolean;
  /**
   * Further functions of the files: all, or "user" without those added by compilers and linkers. null: only `choices`.
   */
  readonly others: "user" | "all" | null;
  /** No functions were selected: neither by name nor by a strategy. */
  readonly isDefault: boolean;
  /** Neither functions nor files were selected: all instrumented functions. */
  readonly isOpen: boolean;
  readonly every: number;
  readonly binary: string | null;
  readonly libraries: readonly string[];
  readonly isMangled: boolean;
  readonly limit: number;
}

/** Fails with `bad-collector-option` and `unusable-combination`. */
export function tracePlan(params: Values): TracePlan {
  refuseUnsupported("trace", unsupported, params);
  const choices = linesOf(params.get("func")).map((line) => readChoice("trace", "func", line));
  const strategy = textOf(params.get("strategy"));
  const probes = linesOf(params.get("usdt")).map((line) => readChoice("trace", "usdt", line));
  const withProbes = params.get("with-usdt") === true;
  if (strategy === "custom" && choices.length + probes.length === 0 && !withProbes) throw nothingSelected();
  const isDefault = strategy === null && choices.length + probes.length === 0 && !withProbes;
  const [binary, libraries] = [textOf(params.get("binary")), linesOf(params.get("libs"))];
  return {
    engine: engineNames[textOf(params.get("engine")) ?? "auto"] ?? null,
    choices,
    probes,
    withProbes,
    others: othersOf(strategy, choices.length + probes.length > 0 || withProbes),
    isDefault,
    isOpen: isDefault && binary === null && libraries.length === 0,
    every: samplingOf(params, strategy),
    binary,
    libraries,
    isMangled: params.get("mangled") === true,
    limit: countOf("trace", params, "limit", 1_000_000, 1, maxCalls),
    timeout: params.get("timeout") === 0 ? null : timeoutOf("trace", params),
    allowFailure: params.get("allow-failure") === true,
    keepOutput: params.get("keep-output") !== false && params.get("output-handling") !== "suppress",
  };
}

function othersOf(strategy: string | null, hasSelection: boolean): TracePlan["others"] {
  if (strategy === "custom" || (strategy === null && hasSelection)) return null;
  return strategy === "all" || strategy === "a_sampled" ? "all" : "user";
}

function samplingOf(params: Values, strategy: string | null): number {
  const given = countOf("trace", params, "global-sampling", 1, 1, maxSampling);
  return given === 1 && strategy?.endsWith("_sampled") === true ? defaultSampling : given;
}

function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

function nothingSelected(): Failure {
  return new Failure("unusable-combination", {
    what: "option strategy: custom of trace without func or usdt",
    instead: "add func: [NAME], or use strategy: userspace",
  });
}

import { Failure } from "../../core/failures/failure.ts";
import type { Values } from "../../core/values/value.ts";
import type { Variable } from "../../core/variables/variable.ts";
import { type FunctionChoice, linesOf, mostSampling, readChoice } from "./calls/function-selection.ts";
import { refuse, type RefusedOption, refusedVariables } from "./calls/unsupported-options.ts";
import { collectorOption as option, countOf, stoppableRunOptions, timeoutOf } from "./collector.ts";

/** Every row is kept in memory. */
const mostCalls = 20_000_000;

/** The sampling of Perun's sampled strategies where none is given. */
const usualSampling = 20;

export const traceEngines = ["instrument", "uprobes", "callgrind"] as const;

export type TraceEngine = (typeof traceEngines)[number];

/** `stap` and `ebpf` are Perun's: the first asks for whatever there is, for it is the default there. */
const engineWords: Readonly<Record<string, TraceEngine | null>> = {
  auto: null,
  instrument: "instrument",
  uprobes: "uprobes",
  callgrind: "callgrind",
  stap: null,
  ebpf: "uprobes",
};

const strategies = ["userspace", "all", "u_sampled", "a_sampled", "custom"] as const;

const refused: readonly RefusedOption[] = [
  {
    name: "dynamic",
    type: "text",
    inert: null,
    reason: "probes that perf defines have no names of their own here; name the function by func",
  },
  { name: "zip-temps", type: "boolean", inert: false, reason: "files of the measurement are not kept" },
  { name: "keep-temps", type: "boolean", inert: false, reason: "files of the measurement are not kept" },
  { name: "verbose-trace", type: "boolean", inert: false, reason: "the log of events has no verbose form" },
  { name: "quiet", type: "boolean", inert: false, reason: "perfkeep's own --quiet does this" },
  { name: "watchdog", type: "boolean", inert: false, reason: "it watches over SystemTap" },
  { name: "diagnostics", type: "boolean", inert: false, reason: "it is about SystemTap and the modules it builds" },
  { name: "stap-cache-off", type: "boolean", inert: false, reason: "it is about SystemTap's cache" },
  { name: "no-profile", type: "boolean", inert: false, reason: "what is collected is a profile" },
];

export const traceOptions: readonly Variable[] = [
  {
    ...option("engine", "string", "auto", "how calls are seen: instrument, uprobes, callgrind"),
    valid: Object.keys(engineWords),
  },
  option(
    "func",
    "text",
    null,
    "functions, a line each: LIBRARY#FUNCTION:ARGUMENT#SAMPLE, of which only FUNCTION is needed",
  ),
  option(
    "usdt",
    "text",
    null,
    "probes that the program's authors put into it, a line each: LIBRARY#PROBE#SAMPLE, of which only PROBE is needed",
  ),
  option("with-usdt", "boolean", null, "all such probes of the program and its libraries"),
  {
    ...option("strategy", "string", null, "which functions beside those: userspace, all, or one of them sampled"),
    valid: strategies,
  },
  option("global-sampling", "integer", 1, "record each so manieth call of a function"),
  option("binary", "string", null, "the program whose functions are meant (default: the first word of the command)"),
  option("libs", "text", null, "libraries whose functions are meant, too, a line each"),
  option("mangled", "boolean", false, "name C++ functions as the linker does, as Perun's collector"),
  option("limit", "integer", 1_000_000, "calls of one process after which the job fails"),
  ...stoppableRunOptions("the calls"),
  {
    ...option("output-handling", "string", "default", "Perun's: suppress is keep-output: false"),
    valid: ["default", "capture", "suppress"],
  },
  ...refusedVariables(refused),
];

export interface TracePlan {
  /** null: the best that is there. */
  readonly engine: TraceEngine | null;
  readonly choices: readonly FunctionChoice[];
  readonly probes: readonly FunctionChoice[];
  /** All static probes beside those. */
  readonly withProbes: boolean;
  /**
   * Beside the chosen functions all of the files; user: without those that compilers and linkers add. null: only those
   * chosen.
   */
  readonly others: "user" | "all" | null;
  /** Neither functions nor files were named: whatever is instrumented. */
  readonly isOpen: boolean;
  readonly every: number;
  readonly binary: string | null;
  readonly libraries: readonly string[];
  readonly isMangled: boolean;
  readonly limit: number;
  readonly timeout: number | null;
  readonly allowFailure: boolean;
  readonly keepOutput: boolean;
}

/** Fails with `bad-collector-option` and `unusable-combination`. */
export function tracePlan(params: Values): TracePlan {
  refuse("trace", refused, params);
  const choices = linesOf(params.get("func")).map((line) => readChoice("trace", "func", line));
  const strategy = textOf(params.get("strategy"));
  const probes = linesOf(params.get("usdt")).map((line) => readChoice("trace", "usdt", line));
  const withProbes = params.get("with-usdt") === true;
  if (strategy === "custom" && choices.length + probes.length === 0 && !withProbes) throw nothingChosen();
  const [binary, libraries] = [textOf(params.get("binary")), linesOf(params.get("libs"))];
  return {
    engine: engineWords[textOf(params.get("engine")) ?? "auto"] ?? null,
    choices,
    probes,
    withProbes,
    others: othersOf(strategy, choices.length + probes.length > 0 || withProbes),
    isOpen:
      strategy === null &&
      choices.length + probes.length === 0 &&
      !withProbes &&
      binary === null &&
      libraries.length === 0,
    every: samplingOf(params, strategy),
    binary,
    libraries,
    isMangled: params.get("mangled") === true,
    limit: countOf("trace", params, "limit", 1_000_000, 1, mostCalls),
    timeout: params.get("timeout") === 0 ? null : timeoutOf("trace", params),
    allowFailure: params.get("allow-failure") === true,
    keepOutput: params.get("keep-output") !== false && params.get("output-handling") !== "suppress",
  };
}

function othersOf(strategy: string | null, isChosen: boolean): TracePlan["others"] {
  if (strategy === "custom" || (strategy === null && isChosen)) return null;
  return strategy === "all" || strategy === "a_sampled" ? "all" : "user";
}

function samplingOf(params: Values, strategy: string | null): number {
  const given = countOf("trace", params, "global-sampling", 1, 1, mostSampling);
  return given === 1 && strategy?.endsWith("_sampled") === true ? usualSampling : given;
}

function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

function nothingChosen(): Failure {
  return new Failure("unusable-combination", {
    what: "option strategy of trace is custom, and neither func nor usdt names anything",
    instead: "add func: [NAME], or use strategy: userspace",
  });
}

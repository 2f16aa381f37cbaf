import { Failure } from "../../core/failures/index.ts";
import type { Run } from "../../core/profiles/index.ts";
import { type Json, JsonNumber, jsonObject, type JsonObject, type Values } from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import { collectorOption, countOf, type Job, type Outcome, outputLimit, type ShellOptions } from "./collector.ts";

/** How each run of a command is limited and recorded: the options of `runOptions`. */
export interface RunPlan {
  /** Maximum seconds of a run; null: unlimited. */
  readonly timeout: number | null;
  /** Runs that exit with a non-zero status are recorded as well. */
  readonly allowFailure: boolean;
  readonly keepOutput: boolean;
}

/** The same for a command that runs several times. */
export interface RepeatPlan extends RunPlan {
  /** Unrecorded runs before the first recorded one. */
  readonly warmup: number;
  readonly repeat: number;
}

/**
 * The options `timeout`, `allow-failure` and `keep-output` of every collector that runs a command. `what` names the
 * recorded data in the help of `allow-failure`.
 */
export function runOptions(what: string): readonly Variable[] {
  return [
    collectorOption("timeout", "float", null, "maximum seconds per run; the job fails on timeout"),
    collectorOption(
      "allow-failure",
      "boolean",
      false,
      `also record ${what} of commands that exit with a non-zero status`,
    ),
    collectorOption("keep-output", "boolean", true, "record the output of the last run, up to 64 KiB per stream"),
  ];
}

/** `runOptions` for collectors that can also record a run stopped by the timeout. */
export function stoppableRunOptions(what: string): readonly Variable[] {
  const synopses: Readonly<Record<string, string>> = {
    timeout: "maximum seconds per run; the job fails on timeout unless allow-failure is set",
    "allow-failure": `also record ${what} of commands that exit with a non-zero status or time out`,
  };
  return runOptions(what).map((variable) => ({
    ...variable,
    synopsis: synopses[variable.name] ?? variable.synopsis ?? "",
  }));
}

/** The values of `runOptions`. Fails with `bad-collector-option`. */
export function runPlan(plugin: string, params: Values): RunPlan {
  return {
    timeout: timeoutOf(plugin, params),
    allowFailure: params.get("allow-failure") === true,
    keepOutput: params.get("keep-output") !== false,
  };
}

/** The same with the options `warmup` and `repeat`, at most `most` each. */
export function repeatPlan(
  plugin: string,
  params: Values,
  { warmup, repeat }: Pick<RepeatPlan, "warmup" | "repeat">,
  most: number,
): RepeatPlan {
  return {
    warmup: countOf(plugin, params, "warmup", warmup, 0, most),
    repeat: countOf(plugin, params, "repeat", repeat, 1, most),
    ...runPlan(plugin, params),
  };
}

/** Value of the option `timeout` in seconds; null: none. Fails with `bad-collector-option`. */
export function timeoutOf(plugin: string, params: Values): number | null {
  const value = params.get("timeout") ?? null;
  if (value === null || (Number(value) > 0 && Number(value) < 1e6)) return value === null ? null : Number(value);
  const expected = "a number of seconds above 0";
  throw new Failure("bad-collector-option", {
    plugin,
    option: "timeout",
    value: String(value),
    expected,
    example: "60",
  });
}

/** The options of `runOptions` as profiles record them. */
export function runParams({ timeout, allowFailure }: Pick<RunPlan, "timeout" | "allowFailure">): Record<string, Json> {
  return {
    ...(timeout === null ? {} : { timeout: JsonNumber.float(timeout) }),
    ...(allowFailure ? { "allow-failure": true } : {}),
  };
}

export function repeatParams({ warmup, repeat }: Pick<RepeatPlan, "warmup" | "repeat">): Record<string, Json> {
  return { warmup: JsonNumber.integer(warmup), repeat: JsonNumber.integer(repeat) };
}

/** The limits of a run; `captureLimit` in bytes. */
export function limitsOf(
  { timeout }: Pick<RunPlan, "timeout">,
  { directory }: Job,
  captureLimit = outputLimit,
): ShellOptions {
  return { directory, captureLimit, ...(timeout === null ? {} : { timeoutSeconds: timeout }) };
}

/** The run with the region `execution`. `outcomes` null: the timeout stopped the command. */
export function withExecution(
  run: Run,
  outcomes: readonly Outcome[] | null,
  { keepOutput }: Pick<RunPlan, "keepOutput">,
): Run {
  const execution = outcomes === null ? jsonObject({ status: ["timed out"] }) : executionOf(outcomes, keepOutput);
  return { ...run, extra: new Map<string, Json>([...run.extra, ["execution", execution]]) };
}

/**
 * The region `execution` of a profile: exit status or signal of each repetition, and the output of the last one if
 * `keepsOutput`.
 */
export function executionOf(outcomes: readonly Outcome[], keepsOutput: boolean): JsonObject {
  const last = outcomes.at(-1);
  const output =
    keepsOutput && last ? { stdout: text(last.stdout), stderr: text(last.stderr), truncated: last.truncated } : {};
  return jsonObject({
    status: outcomes.map(({ status, signal }) =>
      status === null ? (signal ?? "unknown") : JsonNumber.integer(status),
    ),
    ...output,
  });
}

function text(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

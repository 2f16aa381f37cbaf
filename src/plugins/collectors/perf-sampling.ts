import { Failure } from "../../core/failures/index.ts";
import { StackTable } from "../../core/profiles/index.ts";
import { jsonObject, type Json, type JsonObject } from "../../core/values/index.ts";
import type { Subject } from "../../formats/profile/index.ts";
import {
  frameName,
  isKernel,
  moduleName,
  type PerfFrame,
  eventName,
  type PerfSample,
  PerfScriptReader,
} from "../../formats/stacks/index.ts";
import { type Job, lastLine, type Outcome, outputLimit, type Shell } from "./collector.ts";
import { type RunPlan, limitsOf } from "./run-plan.ts";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";

export const callGraphs: readonly CallGraph[] = ["fp", "dwarf", "lbr", "none"];
export const rings: readonly Ring[] = ["user", "kernel"];

type CallGraph = "fp" | "dwarf" | "lbr" | "none";
type Ring = "user" | "kernel";

/** Sampling options. */
export interface PerfPlan extends Pick<RunPlan, "timeout" | "allowFailure"> {
  /** Empty: perf's default, `cycles`, or `cpu-clock` on machines without a cycle counter. */
  readonly events: readonly string[];
  readonly frequency: number;
  readonly callGraph: CallGraph;
  readonly only: Ring | null;
  readonly inlined: boolean;
  readonly withSudo: boolean;
}

const maxStackDepth = "1024";

/** Fails with `tool-missing`. */
export async function requirePerf(shell: Shell): Promise<void> {
  if ((await shell.which("perf")) !== null) return;
  throw new Failure("tool-missing", {
    tool: "perf",
    install: "perf of the Linux kernel (Debian: apt install linux-perf)",
  });
}

/**
 * Samples `true` to find out whether perf works, since its errors would mix with the program's output. Fails with
 * `untraceable`.
 */
export async function checkPerf(plan: PerfPlan, job: Job, shell: Shell, folder: string): Promise<void> {
  if (plan.withSudo && (await shell.which("sudo")) === null)
    throw new Failure("tool-missing", {
      tool: "sudo",
      install: "or omit the collector's option with-sudo if you are root",
    });
  const outcome = await shell.run([...recording(plan, folder), "--", "true"], {
    directory: job.directory,
    captureLimit: outputLimit,
  });
  if (outcome.status !== 0) throw unsampleable(job, outcome, plan);
}

/** Runs the program under perf, which writes samples to `folder`. Fails with `untraceable`. */
export async function recordOnce(
  argv: readonly string[],
  plan: PerfPlan,
  job: Job,
  shell: Shell,
  folder: string,
): Promise<Outcome> {
  rmSync(dataIn(folder), { force: true });
  const program = plan.withSudo ? await withAbsolutePath(argv, shell) : argv;
  const outcome = await shell.run([...recording(plan, folder), "-q", "--", ...program], limitsOf(plan, job));
  if (!existsSync(dataIn(folder))) throw unsampleable(job, outcome, plan);
  return outcome;
}

/** Runs the program without perf, to warm up. */
export function runUnsampled(argv: readonly string[], plan: PerfPlan, job: Job, shell: Shell): Promise<Outcome> {
  return shell.run(argv, limitsOf(plan, job));
}

/** Reads the samples of `recordOnce`; returns the number of samples lost by the kernel. Fails with `untraceable`. */
export async function readSamples(
  plan: PerfPlan,
  job: Job,
  shell: Shell,
  folder: string,
  reader: PerfScriptReader,
): Promise<number> {
  const inline = plan.inlined ? "--inline" : "--no-inline";
  const words = [
    "perf",
    "script",
    "-i",
    dataIn(folder),
    "-F",
    "comm,pid,tid,time,period,event,ip,sym,dso",
    inline,
    "--max-stack",
    maxStackDepth,
    "--show-lost-events",
  ];
  const outcome = await shell.run([...sudo(plan), ...words], {
    directory: job.directory,
    captureLimit: outputLimit,
    // Disables the user's configuration and debuginfod servers.
    environment: { PERF_CONFIG: "/dev/null", DEBUGINFOD_URLS: "" },
    onOutput: (chunk) => reader.push(chunk),
  });
  if (outcome.status !== 0) throw unsampleable(job, outcome, plan);
  return reader.end("perf script").lost;
}

function recording(plan: PerfPlan, folder: string): string[] {
  const events = plan.events.length > 0 ? plan.events : ["cycles"];
  const graph = plan.callGraph === "none" ? [] : ["--call-graph", plan.callGraph];
  const chosen = events.flatMap((event) => ["-e", withRing(event, plan.only)]);
  // Avoids copies of the program in ~/.debug, and a wait of up to a second for BPF events at the end.
  return [
    ...sudo(plan),
    "perf",
    "record",
    "--no-buildid-cache",
    "--no-bpf-event",
    "-o",
    dataIn(folder),
    "-F",
    String(plan.frequency),
    ...graph,
    ...chosen,
  ];
}

function withRing(event: string, ring: Ring | null): string {
  if (ring === null) return event;
  return event.endsWith("/") ? `${event}${ring[0]}` : `${event}:${ring[0]}`;
}

function sudo({ withSudo }: PerfPlan): string[] {
  return withSudo ? ["sudo", "-n"] : [];
}

function dataIn(folder: string): string {
  return join(folder, "perf.data");
}

/** Resolves the program: sudo uses its own PATH. */
async function withAbsolutePath([program = "", ...words]: readonly string[], shell: Shell): Promise<string[]> {
  return [(program.includes("/") ? null : await shell.which(program)) ?? program, ...words];
}

function unsampleable(job: Job, { stderr, status }: Outcome, plan: PerfPlan): Failure {
  const reason = firstError(stderr) || `perf exited with status ${status}`;
  const instead = plan.withSudo
    ? "let sudo run perf without asking for a password"
    : "use other options event, only or call-graph, or lower kernel.perf_event_paranoid as root";
  return new Failure("untraceable", { what: `'${`${job.cmd} ${job.workload}`.trim()}'`, reason, instead });
}

/** perf prints the reason before its advice. */
function firstError(stderr: Uint8Array): string {
  const lines = new TextDecoder().decode(stderr.subarray(0, 4096)).split("\n");
  const reason = lines
    .map((line) => line.trim())
    .find((line) => line !== "" && line !== "Error:" && !line.startsWith("[ perf record:"));
  return (reason ?? lastLine(stderr)).slice(0, 200);
}

/** Events whose periods are nanoseconds. */
const clocks = new Set(["cpu-clock", "task-clock"]);

/** Counts samples by event, command, stack and repetition. */
export class SampleRows {
  readonly #stacks = new StackTable<PerfFrame>();
  readonly #traces = new Map<number, Trace>();
  readonly #byText = new Map<string, Trace>();
  readonly #groups = new Map<string, Group>();
  readonly #events = new Set<string>();

  /** Names of the sampled events, without modifiers. */
  get events(): readonly string[] {
    return [...this.#events];
  }

  get hasTime(): boolean {
    return this.events.some((event) => clocks.has(event));
  }

  /** A reader of one repetition, counted from 1. */
  reader(repetition: number): PerfScriptReader {
    return new PerfScriptReader((sample) => this.#add(sample, repetition), this.#stacks);
  }

  subjects(): Subject[] {
    return [...this.#groups.values()].map((group) => group.subject());
  }

  #add(sample: PerfSample, repetition: number): void {
    const event = eventName(sample.event);
    this.#events.add(event);
    const trace = this.#traceOf(sample.stack);
    const key = JSON.stringify([event, sample.command, trace.number]);
    let group = this.#groups.get(key);
    if (group === undefined) {
      const properties = {
        command: sample.command,
        ring: trace.ring,
        subtype: event,
        trace: trace.json,
        type: "time",
        uid: trace.uid,
      };
      this.#groups.set(key, (group = new Group(jsonObject(properties), clocks.has(event))));
    }
    group.add(sample.period, repetition);
  }

  #traceOf(stack: number): Trace {
    let trace = this.#traces.get(stack);
    if (trace === undefined) {
      const frames = this.#stacks.framesOf(stack);
      const json = frames.map(frameJson);
      const inner = frames[0] ?? unknownFrame;
      const text = frames.map((frame) => `${frameName(frame)}\n${moduleName(frame)}`).join("\n\n");
      trace = this.#byText.get(text) ?? {
        number: this.#byText.size,
        json,
        uid: frameName(inner),
        ring: isKernel(inner) ? "kernel" : "user",
      };
      this.#byText.set(text, trace);
      this.#traces.set(stack, trace);
    }
    return trace;
  }
}

/** Trace of a stack; stacks that differ only in the folders of modules share one. */
interface Trace {
  readonly number: number;
  readonly json: Json;
  readonly uid: string;
  /** Ring of the innermost call. */
  readonly ring: "kernel" | "user";
}

/** Frame of a sample without a stack. */
const unknownFrame: PerfFrame = { symbol: null, module: null, isInlined: false };

function frameJson(frame: PerfFrame): JsonObject {
  const module = moduleName(frame);
  return jsonObject({ function: frameName(frame), ...(module === null ? {} : { module }) });
}

/** The rows of one subject, one per repetition with samples. */
class Group {
  readonly #properties: JsonObject;
  readonly #isClock: boolean;
  readonly #samples: number[] = [];
  readonly #periods: number[] = [];
  readonly #orders: number[] = [];

  constructor(properties: JsonObject, isClock: boolean) {
    this.#properties = properties;
    this.#isClock = isClock;
  }

  add(period: number, repetition: number): void {
    if (this.#orders.at(-1) !== repetition) {
      this.#orders.push(repetition);
      this.#samples.push(0);
      this.#periods.push(0);
    }
    const last = this.#orders.length - 1;
    this.#samples[last]! += 1;
    this.#periods[last]! += period;
  }

  subject(): Subject {
    const periods: Subject["columns"][number] = this.#isClock
      ? { name: "cpu-time", type: "float", values: this.#periods.map((nanoseconds) => nanoseconds / 1e9) }
      : { name: "event-count", type: "integer", values: this.#periods };
    return {
      properties: this.#properties,
      columns: [
        { name: "amount", type: "integer", values: this.#samples },
        { name: "order", type: "integer", values: this.#orders },
        periods,
      ],
    };
  }
}

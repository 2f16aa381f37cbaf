import { jsonObject, type Json, type JsonObject } from "../../core/values/json.ts";
import { frameName, isKernel, moduleName, type PerfFrame } from "../../formats/stacks/perf/perf-frame.ts";
import { eventName } from "../../formats/stacks/perf/perf-header.ts";
import type { PerfSample } from "../../formats/stacks/perf/perf-samples.ts";
import { PerfScriptReader } from "../../formats/stacks/perf/perf-script.ts";
import type { Subject } from "../../formats/profile/build-profile.ts";
import { StackTable } from "../../core/profiles/stack-table.ts";

/** Events whose periods are nanoseconds. */
const clocks = new Set(["cpu-clock", "task-clock"]);

/** Counts samples by event, command and stack, each repetition for itself. */
export class SampleRows {
  readonly #stacks = new StackTable<PerfFrame>();
  readonly #traces = new Map<number, Trace>();
  readonly #byText = new Map<string, Trace>();
  readonly #groups = new Map<string, Group>();
  readonly #events = new Set<string>();

  /** Names of the events that were sampled, without modifiers. */
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
      const inner = frames[0] ?? nowhere;
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

/** What a stack becomes; stacks that differ only in the folders of modules are one. */
interface Trace {
  readonly number: number;
  readonly json: Json;
  readonly uid: string;
  /** Where the innermost call was. */
  readonly ring: "kernel" | "user";
}

/** What is seen of a sample without stack. */
const nowhere: PerfFrame = { symbol: null, module: null, isInlined: false };

function frameJson(frame: PerfFrame): JsonObject {
  const module = moduleName(frame);
  return jsonObject({ function: frameName(frame), ...(module === null ? {} : { module }) });
}

/** The rows of one subject: one for each repetition that has samples of it. */
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

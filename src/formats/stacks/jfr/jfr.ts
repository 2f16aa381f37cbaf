import { Failure } from "../../../core/failures/index.ts";
import {
  StackSamples,
  StackTable,
  type StackFrame,
  type StackProfile,
  type ValueType,
} from "../../../core/profiles/index.ts";
import { JfrChunk } from "./jfr-chunk.ts";

/** An event with a stack; `amount` is the field with its weight, else it counts 1. */
interface SampleEvent {
  readonly type: number;
  readonly amount?: string;
}

const valueTypes: readonly ValueType[] = [
  { name: "samples", unit: "count" },
  { name: "native-samples", unit: "count" },
  { name: "wall-samples", unit: "count" },
  { name: "alloc_space", unit: "bytes" },
  // Recordings may have both: the same allocations, counted in another way.
  { name: "tlab_space", unit: "bytes" },
];

/** Events of OpenJDK and async-profiler. */
const sampleEvents: ReadonlyMap<string, SampleEvent> = new Map<string, SampleEvent>([
  ["jdk.ExecutionSample", { type: 0 }],
  ["jdk.NativeMethodSample", { type: 1 }],
  ["profiler.WallClockSample", { type: 2, amount: "samples" }],
  ["jdk.ObjectAllocationSample", { type: 3, amount: "weight" }],
  ["jdk.ObjectAllocationInNewTLAB", { type: 4, amount: "tlabSize" }],
  ["jdk.ObjectAllocationOutsideTLAB", { type: 4, amount: "allocationSize" }],
]);

/** Sums of the samples of all chunks. */
class JfrSamples {
  readonly stacks = new StackTable<StackFrame>();
  readonly samples = new StackSamples(valueTypes.length);
  readonly #seen = new Set<number>();
  truncated = 0;

  addChunk(chunk: JfrChunk): void {
    const nodes = new Map<unknown, number>();
    for (const [name, event] of chunk.events((each) => sampleEvents.has(each))) {
      const { type, amount } = sampleEvents.get(name)!;
      const trace = chunk.field(event, "stackTrace");
      let node = nodes.get(trace);
      if (node === undefined) nodes.set(trace, (node = this.#nodeOf(chunk, trace)));
      if (chunk.field(trace, "truncated") === 1) this.truncated++;
      const thread = chunk.field(event, "sampledThread") ?? chunk.field(event, "eventThread");
      const label = chunk.field(thread, "javaName") ?? chunk.field(thread, "osName");
      const labels = typeof label === "string" && label !== "" ? new Map([["thread", [label]]]) : new Map();
      const value = amount === undefined ? 1 : Number(chunk.field(event, amount) ?? 0);
      if (!(value >= 0)) throw chunk.bad("a sample has an amount below 0");
      this.#seen.add(type);
      this.samples.addTo(this.samples.row(node, this.samples.labels(labels)), type, value);
    }
  }

  /** Only with the types that have samples. */
  profile(chunks: readonly Pick<JfrChunk, "started" | "duration">[], file: string): StackProfile {
    const present = [...this.#seen].toSorted((a, b) => a - b);
    if (present.length === 0) throw new Failure("no-stacks", { file, what: "jfr" });
    const samples = new StackSamples(present.length);
    for (let row = 0; row < this.samples.length; row++) {
      const values = present.map((type) => this.samples.valueOf(row, type));
      samples.add(this.samples.stackOf(row), values, samples.labels(this.samples.labelsOf(row)));
    }
    const comments = this.truncated === 0 ? [] : [`stacks of ${this.truncated} samples are truncated by the recorder`];
    const duration = chunks.reduce((sum, chunk) => sum + chunk.duration, 0);
    return {
      stacks: this.stacks,
      types: present.map((type) => valueTypes[type]!),
      main: 0,
      samples,
      facts: { started: chunks[0]!.started, duration, ...(comments.length === 0 ? {} : { comments }) },
    };
  }

  #nodeOf(chunk: JfrChunk, trace: unknown): number {
    const frames = chunk.field(trace, "frames");
    if (!Array.isArray(frames)) return 0;
    return frames.reduceRight((node: number, frame: unknown) => {
      const name = methodName(chunk, chunk.field(frame, "method"));
      const line = Number(chunk.field(frame, "lineNumber") ?? 0);
      const make = (): StackFrame => ({ function: name, ...(line > 0 ? { line } : {}) });
      return this.stacks.called(node, this.stacks.frame(`${line}:${name}`, make));
    }, 0);
  }
}

/** `package.Class.method`; native frames of async-profiler have no class. */
function methodName(chunk: JfrChunk, method: unknown): string {
  const symbol = (value: unknown): string => {
    const text = chunk.resolve(value);
    const string = typeof text === "string" ? text : chunk.field(text, "string");
    return typeof string === "string" ? string : "";
  };
  const type = symbol(chunk.field(chunk.field(method, "type"), "name")).replaceAll("/", ".");
  const name = symbol(chunk.field(method, "name"));
  return type === "" || name === "" ? type + name : `${type}.${name}`;
}

/**
 * Reads the samples of a Java Flight Recording: processor time, native code, wall clock of async-profiler, allocations.
 * Fails with `bad-stack-profile`, and with `no-stacks` if it has no samples.
 */
export function readJfr(bytes: Uint8Array, file: string): StackProfile {
  const samples = new JfrSamples();
  const chunks: { started: bigint; duration: number }[] = [];
  let at = 0;
  do {
    const chunk = new JfrChunk(bytes, at, file);
    samples.addChunk(chunk);
    chunks.push({ started: chunk.started, duration: chunk.duration });
    at = chunk.end;
  } while (at < bytes.length);
  return samples.profile(chunks, file);
}

import type { SampleLabels, StackFrame, StackModule, StackProfile, ValueType } from "../../../core/profiles/index.ts";
import { ProtobufWriter } from "../../bytes/index.ts";

/** Nanoseconds per unit of time in pprof. */
const nanoseconds: ReadonlyMap<string, number> = new Map([
  ["seconds", 1e9],
  ["milliseconds", 1e6],
  ["microseconds", 1e3],
]);

/**
 * Encodes a pprof profile, uncompressed. Values are integers: times with fractions become nanoseconds, other values are
 * rounded. Deterministic.
 */
export function printPprof(profile: StackProfile): Uint8Array {
  return new PprofWriter(profile).write();
}

class PprofWriter {
  readonly #profile: StackProfile;
  readonly #out = new ProtobufWriter(1 << 16);
  readonly #part = new ProtobufWriter();
  readonly #strings = new Map<string, number>([["", 0]]);
  readonly #modules = new Map<StackModule, number>();
  readonly #moduleIds = new Map<string, number>();
  readonly #functions = new Map<string, number>();
  readonly #functionOf: (number | undefined)[] = [];
  readonly #locations = new Map<string, number>();
  readonly #scales: readonly number[];

  constructor(profile: StackProfile) {
    this.#profile = profile;
    this.#scales = profile.types.map((type, at) => scaleOf(profile, type, at));
  }

  write(): Uint8Array {
    const { types, samples, facts, main } = this.#profile;
    types.forEach(({ name, unit }, at) =>
      this.#valueType(1, { name, unit: this.#scales[at] === 1 ? unit : "nanoseconds" }),
    );
    for (const module of facts.modules ?? []) this.#module(module);
    for (let row = 0; row < samples.length; row++) this.#sample(row);
    this.#facts();
    if (types.length > 1) this.#out.int(14, this.#string(types[main]!.name));
    for (const text of this.#strings.keys()) this.#out.text(6, text);
    return this.#out.written();
  }

  #sample(row: number): void {
    const { samples } = this.#profile;
    const locations = this.#locationsOf(samples.stackOf(row));
    const labels = labelMessages(samples.labelsOf(row), (text) => this.#string(text));
    const part = this.#part.clear();
    part.ints(1, locations);
    part.ints(
      2,
      this.#scales.map((scale, type) => Math.round(samples.valueOf(row, type) * scale)),
    );
    for (const label of labels) part.message(3, label);
    this.#out.message(2, part.written());
  }

  /** The locations of a stack, innermost first. Inlined calls share the location of their caller. */
  #locationsOf(stack: number): number[] {
    const { stacks } = this.#profile;
    const locations: number[] = [];
    let group: number[] = [];
    for (let node = stack; node > 0; node = stacks.callerOf(node)) {
      const call = stacks.callOf(node);
      group.push(call);
      if (stacks.frames[call]!.inlined === true && stacks.callerOf(node) > 0) continue;
      locations.push(this.#location(group));
      group = [];
    }
    return locations;
  }

  #location(calls: readonly number[]): number {
    const key = calls.join(" ");
    const known = this.#locations.get(key);
    if (known !== undefined) return known;
    const id = this.#locations.size + 1;
    this.#locations.set(key, id);
    const frames = calls.map((call) => this.#profile.stacks.frames[call]!);
    const outer = frames.at(-1)!;
    const isKnown =
      frames.length > 1 || outer.function !== "" || outer.source !== undefined || outer.line !== undefined;
    const lines = isKnown ? calls.map((call, at) => this.#line(call, frames[at]!)) : [];
    const module = outer.module === undefined ? 0 : this.#module(outer.module);
    const part = this.#part.clear();
    part.int(1, id);
    part.int(2, module);
    part.int(3, outer.address ?? 0n);
    for (const line of lines) part.message(4, line);
    this.#out.message(4, part.written());
    return id;
  }

  #line(call: number, frame: StackFrame): Uint8Array {
    const line = new ProtobufWriter();
    line.int(1, this.#function(call, frame));
    line.int(2, frame.line ?? 0);
    line.int(3, frame.column ?? 0);
    return line.written();
  }

  #function(call: number, frame: StackFrame): number {
    const known = this.#functionOf[call];
    if (known !== undefined) return known;
    const { function: name, systemName = name, source = "", startLine = 0 } = frame;
    const key = JSON.stringify([name, systemName, source, startLine]);
    const id = this.#functions.get(key) ?? this.#functions.size + 1;
    this.#functionOf[call] = id;
    if (this.#functions.has(key)) return id;
    this.#functions.set(key, id);
    const texts = [name, systemName, source].map((text) => this.#string(text));
    const part = this.#part.clear();
    [id, ...texts, startLine].forEach((value, at) => part.int(at + 1, value));
    this.#out.message(5, part.written());
    return id;
  }

  #module(module: StackModule): number {
    const known = this.#modules.get(module);
    if (known !== undefined) return known;
    const { path, buildId = "", start = 0n, limit = 0n, offset = 0n } = module;
    const key = [path, buildId, start, limit, offset].join("\n");
    const id = this.#moduleIds.get(key) ?? this.#moduleIds.size + 1;
    this.#modules.set(module, id);
    if (this.#moduleIds.has(key)) return id;
    this.#moduleIds.set(key, id);
    const texts = [path, buildId].map((text) => this.#string(text));
    const part = this.#part.clear();
    // The last field is has_functions: pprof need not symbolize.
    [id, start, limit, offset, ...texts, 1].forEach((value, at) => part.int(at + 1, value));
    this.#out.message(3, part.written());
    return id;
  }

  #facts(): void {
    const {
      started = 0n,
      duration = 0,
      period,
      comments = [],
      dropFrames = "",
      keepFrames = "",
      documentation = "",
    } = this.#profile.facts;
    this.#out.int(7, this.#string(dropFrames));
    this.#out.int(8, this.#string(keepFrames));
    this.#out.int(9, started);
    this.#out.int(10, Math.round(duration));
    if (period !== undefined) {
      this.#valueType(11, period.type);
      this.#out.int(12, Math.round(period.value));
    }
    this.#out.ints(
      13,
      comments.map((comment) => this.#string(comment)),
    );
    this.#out.int(15, this.#string(documentation));
  }

  #valueType(field: number, { name, unit }: ValueType): void {
    const strings = [name, unit].map((text) => this.#string(text));
    const part = this.#part.clear();
    strings.forEach((index, at) => part.int(at + 1, index));
    this.#out.message(field, part.written());
  }

  #string(text: string): number {
    let number = this.#strings.get(text);
    if (number === undefined) this.#strings.set(text, (number = this.#strings.size));
    return number;
  }
}

function labelMessages(labels: SampleLabels, stringIndex: (text: string) => number): Uint8Array[] {
  return [...labels].flatMap(([name, values]) =>
    values.map((value) => {
      const label = new ProtobufWriter();
      label.int(1, stringIndex(name));
      if (typeof value === "string") label.int(2, stringIndex(value));
      else {
        label.int(3, Math.round(value.value));
        label.int(4, stringIndex(value.unit));
      }
      return label.written();
    }),
  );
}

/** The factor to nanoseconds for times with fractions; otherwise 1. */
function scaleOf({ samples }: StackProfile, { unit }: ValueType, type: number): number {
  const scale = nanoseconds.get(unit) ?? 1;
  if (scale === 1) return 1;
  for (let row = 0; row < samples.length; row++) if (!Number.isInteger(samples.valueOf(row, type))) return scale;
  return 1;
}

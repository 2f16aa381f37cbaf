import { many, type Message, one } from "../protobuf-message.ts";

/** Interned texts and their ids. */
const interned = many({ 1: ["iid", "uint"], 2: ["text", "text"] });
const thread = one({ 1: ["pid", "int"], 2: ["tid", "int"], 5: ["name", "text"] });
const process = one({ 1: ["pid", "int"], 6: ["name", "text"] });

/** The fields of a TracePacket that profiles need (protos/perfetto/trace/trace_packet.proto). */
export const tracePacket: Message = one({
  2: [
    "processTree",
    one({
      1: ["processes", many({ 1: ["pid", "int"], 3: ["cmdline", "text*"] })],
      2: ["threads", many({ 1: ["tid", "int"], 2: ["name", "text"] })],
    }),
  ],
  6: [
    "clockSnapshot",
    one({
      1: [
        "clocks",
        many({ 1: ["id", "int"], 2: ["timestamp", "uint"], 3: ["isIncremental", "int"], 4: ["multiplier", "uint"] }),
      ],
    }),
  ],
  8: ["timestamp", "uint"],
  10: ["sequence", "int"],
  11: [
    "trackEvent",
    one({
      1: ["deltaMicroseconds", "int"],
      6: ["legacy", one({ 1: ["nameIid", "uint"], 2: ["phase", "int"], 3: ["duration", "int"] })],
      9: ["type", "int"],
      10: ["nameIid", "uint"],
      11: ["track", "uint"],
      16: ["absoluteMicroseconds", "int"],
      23: ["name", "text"],
    }),
  ],
  12: [
    "interned",
    one({
      2: ["eventNames", interned],
      5: ["functionNames", interned],
      6: [
        "frames",
        many({
          1: ["iid", "uint"],
          2: ["name", "uint"],
          3: ["mapping", "uint"],
          4: ["address", "uint"],
          6: ["line", "int"],
        }),
      ],
      7: ["callstacks", many({ 1: ["iid", "uint"], 2: ["frames", "uint*"] })],
      17: ["mappingPaths", interned],
      19: ["mappings", many({ 1: ["iid", "uint"], 7: ["path", "uint*"] })],
    }),
  ],
  13: ["flags", "int"],
  41: ["isCleared", "int"],
  43: ["process", process],
  44: ["thread", thread],
  50: ["compressed", "bytes*"],
  54: ["streaming", one({ 1: ["callstacks", "uint*"] })],
  58: ["clock", "int"],
  59: ["defaults", one({ 11: ["trackEvent", one({ 11: ["track", "uint"] })], 58: ["clock", "int"] })],
  60: [
    "trackDescriptor",
    one({
      1: ["uuid", "uint"],
      2: ["name", "text"],
      3: ["process", process],
      4: ["thread", thread],
      5: ["parent", "uint"],
    }),
  ],
  66: ["perfSample", one({ 2: ["pid", "int"], 3: ["tid", "int"], 4: ["callstack", "uint"] })],
  133: ["zstd", "bytes*"],
});

interface Interned {
  readonly iid?: bigint;
  readonly text?: string;
}

interface ThreadPart {
  readonly pid?: number;
  readonly tid?: number;
  readonly name?: string;
}

/** A decoded TracePacket; fields that are not set are missing. */
export interface TracePacket {
  readonly processTree?: {
    readonly processes?: readonly { readonly pid?: number; readonly cmdline?: readonly string[] }[];
    readonly threads?: readonly ThreadPart[];
  };
  readonly clockSnapshot?: {
    readonly clocks?: readonly {
      readonly id?: number;
      readonly timestamp?: bigint;
      readonly isIncremental?: number;
      readonly multiplier?: bigint;
    }[];
  };
  readonly timestamp?: bigint;
  readonly sequence?: number;
  readonly trackEvent?: TrackEvent;
  readonly interned?: {
    readonly eventNames?: readonly Interned[];
    readonly functionNames?: readonly Interned[];
    readonly frames?: readonly InternedFrame[];
    readonly callstacks?: readonly { readonly iid?: bigint; readonly frames?: readonly bigint[] }[];
    readonly mappingPaths?: readonly Interned[];
    readonly mappings?: readonly { readonly iid?: bigint; readonly path?: readonly bigint[] }[];
  };
  readonly flags?: number;
  readonly isCleared?: number;
  readonly process?: ThreadPart;
  readonly thread?: ThreadPart;
  readonly compressed?: readonly Uint8Array[];
  readonly streaming?: { readonly callstacks?: readonly bigint[] };
  readonly clock?: number;
  readonly defaults?: { readonly trackEvent?: { readonly track?: bigint }; readonly clock?: number };
  readonly trackDescriptor?: {
    readonly uuid?: bigint;
    readonly name?: string;
    readonly process?: ThreadPart;
    readonly thread?: ThreadPart;
    readonly parent?: bigint;
  };
  readonly perfSample?: { readonly pid?: number; readonly tid?: number; readonly callstack?: bigint };
  readonly zstd?: readonly Uint8Array[];
}

export interface TrackEvent {
  readonly deltaMicroseconds?: number;
  readonly absoluteMicroseconds?: number;
  readonly legacy?: { readonly nameIid?: bigint; readonly phase?: number; readonly duration?: number };
  readonly type?: number;
  readonly nameIid?: bigint;
  readonly track?: bigint;
  readonly name?: string;
}

interface InternedFrame {
  readonly iid?: bigint;
  readonly name?: bigint;
  readonly mapping?: bigint;
  readonly address?: bigint;
  readonly line?: number;
}

/** An index of interned data by id. */
type Index<Value> = Map<bigint, Value>;

/** A clock: `value` × `multiplier` nanoseconds. Timestamps of an incremental clock are added to its value. */
interface Clock {
  value: bigint;
  readonly multiplier: bigint;
  readonly isIncremental: boolean;
  /** What is added for nanoseconds of the trace's clock. */
  readonly offset: bigint;
}

/** Clock of packets without one. */
const bootTime = 6;
/** Clocks from this number on are defined by the trace. */
const firstOwnClock = 64;
const [stateCleared, needsState] = [1, 2];

/** What packets of a writer refer to: names and stacks by id, clocks, defaults. The writer says when it is renewed. */
export class PacketSequence {
  eventNames: Index<string> = new Map();
  functionNames: Index<string> = new Map();
  paths: Index<string> = new Map();
  frames: Index<InternedFrame> = new Map();
  callstacks: Index<readonly bigint[]> = new Map();
  mappings: Index<readonly bigint[]> = new Map();
  /** Nodes of call stacks that were met. */
  stacks: Index<number> = new Map();
  #clocks = new Map<number, Clock>();
  #defaults: TracePacket["defaults"];
  #isValid = false;
  /** Of older traces, in microseconds. */
  #legacyTime = 0;

  /** Takes the state in a packet; false if the packet depends on state that was lost. */
  update(packet: TracePacket): boolean {
    const flags = packet.flags ?? 0;
    if ((flags & stateCleared) !== 0 || packet.isCleared === 1) this.#clear();
    if ((flags & needsState) !== 0 && !this.#isValid) return false;
    if (packet.defaults !== undefined) this.#defaults = packet.defaults;
    if (packet.clockSnapshot !== undefined) this.#setClocks(packet.clockSnapshot);
    if (packet.interned !== undefined) this.#intern(packet.interned);
    return true;
  }

  get defaultTrack(): bigint | undefined {
    return this.#defaults?.trackEvent?.track;
  }

  /** Nanoseconds of the time of an event. */
  timeOf(packet: TracePacket, { absoluteMicroseconds, deltaMicroseconds }: TrackEvent): bigint {
    if (absoluteMicroseconds !== undefined) return BigInt(Math.trunc(absoluteMicroseconds)) * 1000n;
    if (deltaMicroseconds !== undefined) return BigInt(Math.trunc((this.#legacyTime += deltaMicroseconds))) * 1000n;
    const timestamp = packet.timestamp ?? 0n;
    const clock = this.#clocks.get(packet.clock ?? this.#defaults?.clock ?? bootTime);
    if (clock === undefined) return timestamp;
    if (clock.isIncremental) clock.value += timestamp;
    return (clock.isIncremental ? clock.value : timestamp) * clock.multiplier + clock.offset;
  }

  #clear(): void {
    this.#isValid = true;
    this.#defaults = undefined;
    this.#clocks = new Map();
    this.#legacyTime = 0;
    this.eventNames = new Map();
    this.functionNames = new Map();
    this.paths = new Map();
    this.frames = new Map();
    this.callstacks = new Map();
    this.mappings = new Map();
    this.stacks = new Map();
  }

  #setClocks({ clocks = [] }: NonNullable<TracePacket["clockSnapshot"]>): void {
    const boot = clocks.find(({ id }) => id === bootTime)?.timestamp;
    for (const { id = 0, timestamp: value = 0n, isIncremental = 0, multiplier = 1n } of clocks) {
      if (id < firstOwnClock) continue;
      const offset = boot === undefined ? 0n : boot - value * multiplier;
      this.#clocks.set(id, { value, multiplier, isIncremental: isIncremental !== 0, offset });
    }
  }

  #intern(data: NonNullable<TracePacket["interned"]>): void {
    for (const { iid = 0n, text = "" } of data.eventNames ?? []) this.eventNames.set(iid, text);
    for (const { iid = 0n, text = "" } of data.functionNames ?? []) this.functionNames.set(iid, text);
    for (const { iid = 0n, text = "" } of data.mappingPaths ?? []) this.paths.set(iid, text);
    for (const frame of data.frames ?? []) this.frames.set(frame.iid ?? 0n, frame);
    for (const { iid = 0n, frames = [] } of data.callstacks ?? []) this.callstacks.set(iid, frames);
    for (const { iid = 0n, path = [] } of data.mappings ?? []) this.mappings.set(iid, path);
  }
}

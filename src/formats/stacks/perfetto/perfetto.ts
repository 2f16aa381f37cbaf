import { inflateSync } from "node:zlib";
import { Failure } from "../../../core/failures/index.ts";
import {
  type SampleLabels,
  StackSamples,
  StackTable,
  type StackFrame,
  type StackProfile,
  TimelineBuilder,
  timelineOf,
  type TimelineTrack,
} from "../../../core/profiles/index.ts";
import { ProtobufReader, wire } from "../../bytes/index.ts";
import { decodeMessage } from "../protobuf-message.ts";
import { labelText, ThreadSlices } from "../thread-slices.ts";
import { PacketSequence, type TracePacket, type TrackEvent, tracePacket } from "./trace-packet.ts";

/** Most bytes of compressed packets. */
const most = 1 << 30;
const [sliceBegin, sliceEnd] = [1, 2];

/** Whether a file starts with packets of a Perfetto trace. */
export function isPerfetto(head: Uint8Array): boolean {
  let [at, packets, known] = [0, 0, 0];
  for (; packets < 8 && head[at] === 0x0a; packets++) {
    const [length, start] = lengthAt(head, at + 1);
    if (start + length > head.length) return known > 0;
    const fields = fieldsOf(head.subarray(start, start + length));
    if (fields === null) return false;
    if (fields.has(10 << 3) || (fields.has(8 << 3) && (fields.has((11 << 3) | 2) || fields.has((60 << 3) | 2))))
      known++;
    at = start + length;
  }
  return known > 0 && (packets === 8 || at === head.length);
}

function lengthAt(bytes: Uint8Array, start: number): readonly [length: number, next: number] {
  let [value, at] = [0, start];
  for (let shift = 0; shift < 35 && at < bytes.length; shift += 7) {
    const byte = bytes[at++]!;
    value += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) return [value, at];
  }
  return [Number.POSITIVE_INFINITY, at];
}

/** The tags of a message; null if the bytes are none. */
function fieldsOf(bytes: Uint8Array): ReadonlySet<number> | null {
  const fields = new Set<number>();
  const reader = new ProtobufReader(bytes, "");
  try {
    for (; reader.next(); reader.skip()) fields.add((reader.field << 3) | reader.wire);
  } catch (error) {
    if (error instanceof Failure) return null;
    throw error;
  }
  return fields;
}

/**
 * Reads a trace of Perfetto or Chrome (message Trace of protos/perfetto/trace/trace.proto): slices of tracks with their
 * self time in microseconds, and stacks of sampling profilers. Fails with `bad-stack-profile`.
 */
export function readPerfetto(bytes: Uint8Array, file: string): StackProfile {
  const reader = new ProtobufReader(bytes, file, 0, bytes.length, "Perfetto");
  const trace = new PerfettoTrace(reader);
  trace.readPackets(reader, true);
  return trace.profile();
}

/** Samples of a thread by stack. */
type ThreadSamples = Map<number, number>;

class PerfettoTrace {
  readonly #file: ProtobufReader;
  readonly #stacks = new StackTable<StackFrame>();
  readonly #sequences = new Map<number, PacketSequence>();
  readonly #slices = new Map<string, ThreadSlices>();
  readonly #samples = new Map<string, ThreadSamples>();
  readonly #names = new TrackNames();
  #origin: bigint | null = null;
  #inflated = 0;
  #lost = 0;

  constructor(file: ProtobufReader) {
    this.#file = file;
  }

  readPackets(reader: ProtobufReader, isWhole: boolean): void {
    while (reader.next()) {
      if (reader.field !== 1 || reader.wire !== wire.bytes) reader.skip();
      else this.#take(decodeMessage(reader.message(), tracePacket), isWhole);
    }
  }

  profile(): StackProfile {
    const types = [
      ...(this.#samples.size > 0 ? [{ name: "samples", unit: "count" }] : []),
      ...(this.#slices.size > 0 ? [{ name: "time", unit: "microseconds" }] : []),
    ];
    if (types.length === 0) throw this.#file.bad("it has neither slices of tracks nor samples");
    const samples = new StackSamples(types.length);
    const isOfSeveral = this.#samples.size + this.#slices.size > 1;
    const labelsOf = (track: string): number => (isOfSeveral ? samples.labels(this.#names.labelsOf(track)) : 0);
    for (const [track, counts] of this.#samples) {
      const labels = labelsOf(track);
      for (const [stack, count] of counts) samples.addTo(samples.row(stack, labels), 0, count);
    }
    const tracks: TimelineTrack[] = [];
    for (const [track, slices] of this.#slices) {
      const labels = labelsOf(track);
      const builder = new TimelineBuilder();
      slices.forEachSlice(this.#stacks, builder, (stack, time) =>
        samples.addTo(samples.row(stack, labels), types.length - 1, time),
      );
      tracks.push(builder.track(isOfSeveral ? labelText(this.#names.labelsOf(track)) : ""));
    }
    const timeline = timelineOf("microseconds", tracks);
    const comments = this.#lost === 0 ? [] : [`${this.#lost} packets whose names were lost are left out`];
    return {
      stacks: this.#stacks,
      types,
      main: 0,
      samples,
      facts: comments.length === 0 ? {} : { comments },
      ...(timeline === undefined ? {} : { timeline }),
    };
  }

  #take(packet: TracePacket, isWhole: boolean): void {
    if (packet.zstd !== undefined) throw this.#file.bad("packets compressed with zstd are not supported");
    for (const each of packet.compressed ?? []) {
      if (!isWhole) throw this.#file.bad("compressed packets hold compressed packets");
      this.readPackets(this.#inflate(each), false);
    }
    const id = packet.sequence ?? 0;
    const sequence = this.#sequences.get(id) ?? new PacketSequence();
    this.#sequences.set(id, sequence);
    if (!sequence.update(packet)) {
      this.#lost++;
      return;
    }
    this.#names.take(packet, id);
    const { trackEvent, streaming, perfSample } = packet;
    if (trackEvent !== undefined) this.#takeEvent(packet, trackEvent, sequence, id);
    for (const stack of streaming?.callstacks ?? []) this.#count(`sequence ${id}`, sequence, stack);
    if (perfSample?.callstack !== undefined)
      this.#count(`${perfSample.pid ?? 0}/${perfSample.tid ?? 0}`, sequence, perfSample.callstack);
  }

  #inflate(packed: Uint8Array): ProtobufReader {
    let plain: Uint8Array;
    try {
      plain = inflateSync(packed, { maxOutputLength: most - this.#inflated });
    } catch {
      throw this.#file.bad("compressed packets cannot be decompressed, or are too large");
    }
    this.#inflated += plain.length;
    if (this.#inflated >= most) throw this.#file.bad("compressed packets are too large");
    return this.#file.nested(plain);
  }

  #takeEvent(packet: TracePacket, event: TrackEvent, sequence: PacketSequence, id: number): void {
    const phase = String.fromCharCode(event.legacy?.phase ?? 0);
    const isBegin = event.type === sliceBegin || phase === "B";
    const isEnd = event.type === sliceEnd || phase === "E";
    const time = sequence.timeOf(packet, event);
    if (!isBegin && !isEnd && phase !== "X") return;
    this.#origin ??= time;
    const at = Number(time - this.#origin) / 1000;
    const track = event.track ?? sequence.defaultTrack;
    const key = track === undefined ? `sequence ${id}` : `track ${track}`;
    const slices = this.#slices.get(key) ?? new ThreadSlices();
    this.#slices.set(key, slices);
    if (isEnd) slices.end(at);
    else if (isBegin) slices.begin(this.#named(event, sequence), at);
    else slices.complete(this.#named(event, sequence), at, Math.max(0, event.legacy?.duration ?? 0));
  }

  #named({ name, nameIid, legacy }: TrackEvent, sequence: PacketSequence): number {
    const interned = sequence.eventNames.get(nameIid ?? legacy?.nameIid ?? 0n);
    const text = name ?? interned ?? "(anonymous)";
    return this.#stacks.frame(`\n${text}`, () => ({ function: text }));
  }

  #count(track: string, sequence: PacketSequence, callstack: bigint): void {
    const stack = this.#stackOf(callstack, sequence);
    if (stack === null) {
      this.#lost++;
      return;
    }
    const counts = this.#samples.get(track) ?? new Map<number, number>();
    this.#samples.set(track, counts);
    counts.set(stack, (counts.get(stack) ?? 0) + 1);
  }

  /** Null if the stack was lost. */
  #stackOf(callstack: bigint, sequence: PacketSequence): number | null {
    let stack = sequence.stacks.get(callstack);
    const frames = sequence.callstacks.get(callstack);
    if (stack === undefined && frames !== undefined) {
      stack = frames.reduce((caller, frame) => this.#stacks.called(caller, this.#frame(frame, sequence)), 0);
      sequence.stacks.set(callstack, stack);
    }
    return stack ?? null;
  }

  /** Frames of stacks are listed outermost first. */
  #frame(iid: bigint, sequence: PacketSequence): number {
    const { name = 0n, mapping = 0n, address, line = 0 } = sequence.frames.get(iid) ?? {};
    const text = sequence.functionNames.get(name) ?? "";
    const parts = sequence.mappings.get(mapping)?.map((part) => sequence.paths.get(part) ?? "");
    const path = parts === undefined ? "" : parts.length > 1 ? `/${parts.join("/")}` : (parts[0] ?? "");
    const frame: StackFrame = {
      function: text,
      ...(path === "" ? {} : { module: { path } }),
      ...(address === undefined || text !== "" ? {} : { address }),
      ...(line > 0 ? { line } : {}),
    };
    return this.#stacks.frame(`${text}\n${path}\n${text === "" ? address : ""}\n${line}`, () => frame);
  }
}

interface Track {
  readonly name?: string;
  readonly process?: number;
  readonly thread?: number;
  readonly parent?: bigint;
}

/** Most tracks between a track and its process. */
const deepest = 16;

/** Names of the processes, threads and tracks of a trace. */
class TrackNames {
  readonly #tracks = new Map<string, Track>();
  readonly #processes = new Map<number, string>();
  readonly #threads = new Map<number, string>();

  /** Takes the names in a packet of a sequence. */
  take({ processTree, process, thread, trackDescriptor }: TracePacket, sequence: number): void {
    for (const { pid = 0, cmdline = [] } of processTree?.processes ?? []) this.#name(this.#processes, pid, cmdline[0]);
    for (const { tid = 0, name } of processTree?.threads ?? []) this.#name(this.#threads, tid, name);
    this.#name(this.#processes, process?.pid, process?.name);
    this.#takeTrack(`sequence ${sequence}`, thread === undefined ? undefined : { thread });
    const { uuid = 0n } = trackDescriptor ?? {};
    this.#name(this.#processes, trackDescriptor?.process?.pid, trackDescriptor?.process?.name);
    this.#takeTrack(`track ${uuid}`, trackDescriptor);
  }

  /** `key` is `track` or `sequence` with a number, or the numbers of a process and a thread with a slash. */
  labelsOf(key: string): SampleLabels {
    const [process, thread] = key.split("/");
    const track = thread === undefined ? this.#whole(key) : { process: Number(process), thread: Number(thread) };
    const labels = new Map<string, readonly string[]>();
    if (track.process !== undefined)
      labels.set("process", [this.#processes.get(track.process) ?? String(track.process)]);
    if (track.thread !== undefined) labels.set("thread", [this.#threads.get(track.thread) ?? String(track.thread)]);
    else labels.set("track", [track.name ?? key]);
    return labels;
  }

  /** With the process of the tracks around it. */
  #whole(key: string): Track {
    const track: Track = this.#tracks.get(key) ?? {};
    let { process, parent } = track;
    for (let depth = 0; process === undefined && parent !== undefined && depth < deepest; depth++)
      ({ process, parent } = this.#tracks.get(`track ${parent}`) ?? {});
    return process === undefined ? track : { ...track, process };
  }

  #takeTrack(key: string, described: TracePacket["trackDescriptor"]): void {
    if (described === undefined) return;
    const { name, process, thread, parent } = described;
    this.#name(this.#threads, thread?.tid, thread?.name ?? name);
    const pid = thread?.pid ?? process?.pid;
    this.#tracks.set(key, {
      ...(name === undefined ? {} : { name }),
      ...(pid === undefined ? {} : { process: pid }),
      ...(thread?.tid === undefined ? {} : { thread: thread.tid }),
      ...(parent === undefined ? {} : { parent }),
    });
  }

  #name(names: Map<number, string>, id: number | undefined, name: string | undefined): void {
    if (id !== undefined && name !== undefined && name !== "") names.set(id, name);
  }
}

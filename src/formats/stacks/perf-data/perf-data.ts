import { Failure } from "../../../core/failures/index.ts";
import { StackTable, type StackFacts, type StackProfile } from "../../../core/profiles/index.ts";
import { PerfCounts } from "../perf/perf-counts.ts";
import { callsOf, keyOf, type PlainCall } from "../perf/plain-call.ts";
import { type PerfBytes, hexOf } from "./perf-bytes.ts";
import { type PerfEvent, PerfEvents, type RawSample, kernelRecord } from "./perf-events.ts";
import { PerfFile, moduleOf } from "./perf-file.ts";
import { type LocalFiles, PerfModules } from "./perf-modules.ts";
import { type PerfMapping, PerfProcesses } from "./perf-processes.ts";
import { userRecord } from "./perf-record.ts";

/** Flags of records. */
const misc = { modeMask: 7, kernel: 1, user: 2, data: 1 << 13, exec: 1 << 13, buildId: 1 << 14 } as const;
/** Whose addresses follow in a call chain (`enum perf_callchain_context`). */
const context = { kernel: -128, user: -512, first: -4095 } as const;
const [kernelProcess, isExecutable] = [-1, 4];

/**
 * Reads a recording of `perf record`, a file or a pipe, as its text from `perf script` is read: the command as
 * outermost call, samples of the first event. Functions have names if their files are on this machine (`local`), which
 * `rename` may change. Fails with `bad-stack-profile`, with `no-stacks` if it has no samples, and with
 * `needs-perf-script` if stacks must be unwound.
 */
export function readPerfData(
  bytes: Uint8Array,
  file: string,
  local: LocalFiles = () => null,
  rename: (symbol: string) => string = (symbol) => symbol,
): StackProfile {
  const recording = new PerfFile(bytes, file);
  const events = new PerfEvents(recording);
  const decoded: PerfEvent[] = [];
  for (const record of recording.records()) {
    if (record.type === userRecord.auxTrace)
      throw new Failure("needs-perf-script", { file, reason: "it holds a processor trace" });
    const event = events.decode(record);
    if (event?.sample?.attr.mustUnwind === true)
      throw new Failure("needs-perf-script", { file, reason: "its stacks are copies of memory or of branches" });
    if (event !== null) decoded.push(event);
  }
  // Each processor has a buffer of its own.
  decoded.sort((a, b) => a.time - b.time);
  const replay = new PerfReplay(recording, new PerfModules(local), rename);
  for (const event of decoded) replay.take(event);
  if (replay.sampled === 0) throw new Failure("no-stacks", { file, what: "perf-data" });
  return replay.profile(events.unknown);
}

class PerfReplay {
  readonly #file: PerfFile;
  readonly #modules: PerfModules;
  readonly #rename: (symbol: string) => string;
  readonly #processes = new PerfProcesses();
  readonly #counts = new PerfCounts();
  readonly #calls = new StackTable<PlainCall>();
  /** Calls by mapping and address. */
  readonly #known = new Map<PerfMapping | null, Map<number, readonly number[]>>();
  sampled = 0;
  #lost = 0;
  #first = 0;
  #last = 0;

  constructor(file: PerfFile, modules: PerfModules, rename: (symbol: string) => string) {
    this.#file = file;
    this.#modules = modules;
    this.#rename = rename;
  }

  profile(undescribed: number): StackProfile {
    const command = this.#file.commandLine.join(" ");
    const comments = [
      ...(command === "" ? [] : [`recorded with: ${command}`]),
      ...(undescribed === 0 ? [] : [`${undescribed} samples of undescribed events are not counted`]),
      ...(this.#lost === 0 ? [] : [`${this.#lost} records were lost`]),
      ...[...this.#modules.lists].map((list) => `names of generated code come from ${list}`),
    ];
    const facts: StackFacts = {
      ...(this.#last > this.#first ? { duration: this.#last - this.#first } : {}),
      ...(comments.length === 0 ? {} : { comments }),
    };
    return this.#counts.profile(this.#calls, facts);
  }

  take({ type, misc: flags, body, time, sample }: PerfEvent): void {
    if (sample !== undefined) {
      if (this.sampled++ === 0) this.#first = time;
      this.#last = time;
      this.#count(sample, flags, body);
    } else if (type === kernelRecord.mmap || type === kernelRecord.mmap2) this.#map(type, flags, body);
    else if (type === kernelRecord.comm) {
      const [process, thread] = [body.i32(), body.i32()];
      this.#processes.rename(process, thread, body.text(), (flags & misc.exec) !== 0);
    } else if (type === kernelRecord.fork) {
      const [process, parent, thread, parentThread] = [body.i32(), body.i32(), body.i32(), body.i32()];
      this.#processes.fork(process, thread, parent, parentThread);
    } else if (type === kernelRecord.lost) this.#lost += (body.skip(8), body.u64());
    else if (type === kernelRecord.lostSamples) this.#lost += body.u64();
  }

  #map(type: number, flags: number, body: PerfBytes): void {
    const process = body.i32();
    body.skip(4);
    const [start, length, offset] = [body.address(), body.u64(), body.address()];
    const isKernel = (flags & misc.modeMask) === misc.kernel;
    let own: Pick<PerfMapping, "buildId" | "inode"> = {};
    if (type === kernelRecord.mmap2) {
      own = identityOf(body.part(body.skip(24), 24, "a mapping"), (flags & misc.buildId) !== 0);
      const protection = body.u32();
      if (!isKernel && (protection & isExecutable) === 0) return;
      body.skip(4);
    } else if ((flags & misc.data) !== 0) return;
    const name = body.text();
    const path = moduleOf(name);
    const buildId = own.buildId ?? this.#file.buildIds.get(path);
    const reference = /^\[kernel\.kallsyms\](\w+)$/.exec(name)?.[1];
    const mapping = {
      start,
      end: start + length,
      offset,
      path: /^\/(?:\/anon|dev\/zero|anon_hugepage)/.test(path) ? `/tmp/perf-${process}.map` : path,
      ...own,
      ...(buildId === undefined ? {} : { buildId }),
      ...(reference === undefined ? {} : { reference }),
    };
    this.#processes.map(isKernel ? kernelProcess : process, mapping, body);
  }

  #count({ attr, process, thread, period, chain, depth }: RawSample, flags: number, body: PerfBytes): void {
    const stack: (readonly number[])[] = [];
    let mode = flags & misc.modeMask;
    body.at = chain;
    for (let call = 0; call < depth; call++) {
      const address = body.address();
      if (address < 0 && address >= context.first) {
        mode = address === context.kernel ? misc.kernel : address === context.user ? misc.user : 0;
        continue;
      }
      stack.push(this.#callsAt(address, mode, process));
    }
    const node = stack.reduceRight(
      (caller, calls) => calls.reduce((each, call) => this.#calls.called(each, call), caller),
      0,
    );
    this.#counts.count(this.#processes.commandOf(thread), this.#file.nameOf(attr), period || 1, node);
  }

  #callsAt(address: number, mode: number, process: number): readonly number[] {
    const mapping =
      (mode === misc.kernel
        ? this.#processes.findKernel(address)
        : mode === misc.user
          ? this.#processes.find(process, address)
          : undefined) ?? null;
    let known = this.#known.get(mapping);
    if (known === undefined) this.#known.set(mapping, (known = new Map()));
    // Without a mapping all addresses are alike.
    const key = mapping === null ? 0 : address;
    let calls = known.get(key);
    if (calls === undefined) known.set(key, (calls = this.#newCalls(address, mapping)));
    return calls;
  }

  #newCalls(address: number, mapping: PerfMapping | null): number[] {
    const name = mapping === null ? null : this.#modules.nameAt(address, mapping);
    const frame = {
      symbol: name === null ? null : this.#rename(name),
      module: mapping?.path ?? null,
      isInlined: false,
    };
    return callsOf(frame).map((call) => this.#calls.frame(keyOf(call), () => call));
  }
}

/** The build id of a mapped file, or its inode. */
function identityOf(part: PerfBytes, hasBuildId: boolean): Pick<PerfMapping, "buildId" | "inode"> {
  if (hasBuildId) {
    const size = Math.min(20, part.u8());
    return size === 0 ? {} : { buildId: hexOf(part.bytes.subarray(4, 4 + size)) };
  }
  part.skip(8);
  return { inode: part.u64() };
}

import { Failure } from "../../core/failures/index.ts";

/** Functions of an allocator, in the order of their numbers in a log. */
export const allocationCalls = [
  "malloc",
  "calloc",
  "realloc",
  "reallocarray",
  "memalign",
  "posix_memalign",
  "aligned_alloc",
  "valloc",
  "free",
] as const;

export type AllocationCall = (typeof allocationCalls)[number];

/** A loaded file. An address of the process minus `bias` is an address in the file. */
export interface LoadedModule {
  readonly path: string;
  readonly bias: bigint;
  readonly lowest: bigint;
  /** The first address after it. */
  readonly highest: bigint;
}

/** The calls of a process in chronological order, one array per field. */
export interface Allocations {
  readonly length: number;
  /** Indices into `allocationCalls`. */
  readonly calls: Uint8Array;
  /** Since the process started. */
  readonly nanoseconds: Float64Array;
  /** Requested bytes; 0 for free. */
  readonly amounts: Float64Array;
  /** Addresses of the memory; 0 if realloc freed it. */
  readonly addresses: Float64Array;
  /** The address passed to realloc; 0 for other calls. */
  readonly oldAddresses: Float64Array;
  /** Indices into the stacks of the log. */
  readonly stacks: Uint32Array;
}

/** Return addresses, innermost first, and the modules loaded at that time. */
export interface LoggedStack {
  readonly addresses: readonly bigint[];
  readonly modules: readonly LoadedModule[];
}

/** The log of one process, as assets/allocations.c describes and writes it. */
export interface AllocationLog {
  readonly process: number;
  readonly session: number;
  /** Nanoseconds since the machine started. */
  readonly started: bigint;
  readonly allocations: Allocations;
  readonly stacks: readonly LoggedStack[];
  /** Why the end is missing; null if the log is complete. */
  readonly stopped: "limit" | "disk" | null;
}

const windowSize = 1 << 20;
const headerSize = 32;
const allocationSize = 40;
const magic = "pkalloc1";
const kinds = { stack: 16, module: 17, stopped: 18 };

/** Decodes a log, also of a process killed while writing. Fails with `allocation-log-damaged`. */
export function decodeAllocationLog(bytes: Uint8Array): AllocationLog {
  return new LogReader(bytes).read();
}

/** Allocations in arrays of a fixed capacity. */
class AllocationList implements Allocations {
  length = 0;
  readonly calls: Uint8Array;
  readonly nanoseconds: Float64Array;
  readonly amounts: Float64Array;
  readonly addresses: Float64Array;
  readonly oldAddresses: Float64Array;
  readonly stacks: Uint32Array;

  constructor(capacity: number) {
    this.calls = new Uint8Array(capacity);
    this.nanoseconds = new Float64Array(capacity);
    this.amounts = new Float64Array(capacity);
    this.addresses = new Float64Array(capacity);
    this.oldAddresses = new Float64Array(capacity);
    this.stacks = new Uint32Array(capacity);
  }

  add(call: number, stack: number, nanoseconds: number, amount: number, address: number, oldAddress: number): void {
    const at = this.length++;
    this.calls[at] = call;
    this.stacks[at] = stack;
    this.nanoseconds[at] = nanoseconds;
    this.amounts[at] = amount;
    this.addresses[at] = address;
    this.oldAddresses[at] = oldAddress;
  }
}

class LogReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #little: boolean;
  /** Index of the latest stack of each id. */
  readonly #stackIndices = new Map<number, number>();
  readonly #stacks: LoggedStack[] = [];
  readonly #modules = new Map<bigint, LoadedModule[]>();
  readonly #allocations: AllocationList;
  #stopped: AllocationLog["stopped"] = null;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#little = bytes.length < headerSize || this.#view.getUint32(8, true) === 1;
    this.#allocations = new AllocationList(Math.floor(bytes.length / allocationSize));
  }

  read(): AllocationLog {
    // The process could not allocate the first window, or was killed before writing the header.
    if (this.#bytes.length < headerSize || this.#bytes[0] === 0)
      return { process: 0, session: 0, started: 0n, allocations: this.#allocations, stacks: [], stopped: "disk" };
    if (new TextDecoder("latin1").decode(this.#bytes.subarray(0, 8)) !== magic) throw this.#damaged(0);
    for (let start = 0; start < this.#bytes.length; start += windowSize)
      this.#readWindow(start, start === 0 ? headerSize : start);
    const [process, session] = [this.#u32(12), this.#u32(16)];
    const [allocations, stacks, stopped] = [this.#allocations, this.#stacks, this.#stopped];
    return { process, session, started: this.#u64(24), allocations, stacks, stopped };
  }

  #readWindow(start: number, first: number): void {
    const end = Math.min(start + windowSize, this.#bytes.length);
    for (let at = first; at + 8 <= end;) {
      const kind = this.#u32(at);
      if (kind === 0) return;
      at = this.#readRecord(kind, at, end);
    }
  }

  /** Returns the offset of the next record. */
  #readRecord(kind: number, at: number, end: number): number {
    const id = this.#u32(at + 4);
    if (kind === kinds.stopped) {
      this.#stopped = id === 1 ? "limit" : "disk";
      return at + 8;
    }
    if (kind === kinds.stack) return this.#readStack(id, at, end);
    if (kind === kinds.module) return this.#readModule(id, at, end);
    const stack = this.#stackIndices.get(id);
    if (kind > allocationCalls.length || stack === undefined || at + allocationSize > end) throw this.#damaged(at);
    this.#allocations.add(
      kind - 1,
      stack,
      this.#number(at + 8),
      this.#number(at + 16),
      this.#number(at + 24),
      this.#number(at + 32),
    );
    return at + allocationSize;
  }

  #readStack(id: number, at: number, end: number): number {
    const count = this.#within(at, 24, end) ? this.#number(at + 8) : Infinity;
    if (at + 24 + 8 * count > end) throw this.#damaged(at);
    const addresses = Array.from({ length: count }, (_, frame) => this.#u64(at + 24 + 8 * frame));
    const modules = this.#modulesOf(this.#u64(at + 16));
    this.#stackIndices.set(id, this.#stacks.push({ addresses, modules }) - 1);
    return at + 24 + 8 * count;
  }

  #readModule(length: number, at: number, end: number): number {
    if (!this.#within(at, 40 + length, end)) throw this.#damaged(at);
    const path = new TextDecoder().decode(this.#bytes.subarray(at + 40, at + 40 + length));
    const module = { path, bias: this.#u64(at + 8), lowest: this.#u64(at + 16), highest: this.#u64(at + 24) };
    this.#modulesOf(this.#u64(at + 32)).push(module);
    return at + 40 + Math.ceil(length / 8) * 8;
  }

  /** Another thread may write a stack before all modules of its list are written. */
  #modulesOf(list: bigint): LoadedModule[] {
    const modules = this.#modules.get(list) ?? [];
    this.#modules.set(list, modules);
    return modules;
  }

  #within(at: number, bytes: number, end: number): boolean {
    return at + bytes <= end;
  }

  #u32(at: number): number {
    return this.#view.getUint32(at, this.#little);
  }

  #u64(at: number): bigint {
    return this.#view.getBigUint64(at, this.#little);
  }

  /** The nearest double; exact for every valid address and size. */
  #number(at: number): number {
    const [first, second] = [this.#u32(at), this.#u32(at + 4)];
    return this.#little ? first + second * 2 ** 32 : first * 2 ** 32 + second;
  }

  #damaged(at: number): Failure {
    return new Failure("allocation-log-damaged", { at });
  }
}

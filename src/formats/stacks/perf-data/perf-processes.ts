import type { PerfBytes } from "./perf-bytes.ts";

/** Code of a file in the memory of a process, from `start` to before `end`. */
export interface PerfMapping {
  readonly start: number;
  readonly end: number;
  /** Where it starts in the file. */
  readonly offset: number;
  readonly path: string;
  /** In hexadecimal. */
  readonly buildId?: string;
  readonly inode?: number;
  /** Of the kernel: the symbol whose address is `offset`. */
  readonly reference?: string;
}

/** Most mappings that are copied for child processes; more would take hours. */
const mostCopies = 2 ** 24;

/** The mappings of a process, ordered and without overlaps. */
class AddressSpace {
  mappings: PerfMapping[] = [];
  /** Other processes have the same list. */
  isShared = false;
}

/** Names and memory of processes while a recording is replayed. */
export class PerfProcesses {
  /** The kernel and its modules. */
  readonly kernel = new AddressSpace();
  readonly #spaces = new Map<number, AddressSpace>();
  readonly #commands = new Map<number, string>();
  #copies = 0;

  /** A new mapping replaces what it overlaps. */
  map(process: number, mapping: PerfMapping, body: PerfBytes): void {
    if (!(mapping.end > mapping.start)) return;
    const space = process === -1 ? this.kernel : this.#ofProcess(process);
    if (space.isShared) {
      this.#copies += space.mappings.length;
      if (this.#copies > mostCopies) throw body.bad("its processes have too many mappings");
      space.mappings = space.mappings.slice();
      space.isShared = false;
    }
    const { mappings } = space;
    const from = firstEndingAfter(mappings, mapping.start);
    let to = from;
    while (to < mappings.length && mappings[to]!.start < mapping.end) to++;
    const [first, last] = [mappings[from], mappings[to - 1]];
    const kept = [mapping];
    if (to > from && first!.start < mapping.start) kept.unshift({ ...first!, end: mapping.start });
    if (to > from && last!.end > mapping.end)
      kept.push({ ...last!, start: mapping.end, offset: last!.offset + mapping.end - last!.start });
    mappings.splice(from, to - from, ...kept);
  }

  find(process: number, address: number): PerfMapping | undefined {
    return find(this.#spaces.get(process)?.mappings ?? [], address);
  }

  findKernel(address: number): PerfMapping | undefined {
    return find(this.kernel.mappings, address);
  }

  /** The name of a thread's program, as perf prints it. */
  commandOf(thread: number): string {
    return this.#commands.get(thread) ?? (thread === 0 ? "swapper" : `:${thread}`);
  }

  /** `isExec`: the process runs another program, whose mappings follow. */
  rename(process: number, thread: number, command: string, isExec: boolean): void {
    this.#commands.set(thread, command);
    if (isExec) this.#spaces.delete(process);
  }

  fork(process: number, thread: number, parent: number, parentThread: number): void {
    const command = this.#commands.get(parentThread);
    if (command !== undefined) this.#commands.set(thread, command);
    const space = this.#spaces.get(parent);
    if (process === parent || space === undefined) return;
    space.isShared = true;
    const own = new AddressSpace();
    own.mappings = space.mappings;
    own.isShared = true;
    this.#spaces.set(process, own);
  }

  #ofProcess(process: number): AddressSpace {
    let space = this.#spaces.get(process);
    if (space === undefined) this.#spaces.set(process, (space = new AddressSpace()));
    return space;
  }
}

function find(mappings: readonly PerfMapping[], address: number): PerfMapping | undefined {
  const found = mappings[firstEndingAfter(mappings, address)];
  return found !== undefined && found.start <= address ? found : undefined;
}

function firstEndingAfter(mappings: readonly PerfMapping[], address: number): number {
  let [low, high] = [0, mappings.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (mappings[middle]!.end > address) high = middle;
    else low = middle + 1;
  }
  return low;
}

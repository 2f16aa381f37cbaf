import { type ElfFile, buildIdIn, readElf } from "./elf.ts";
import type { PerfMapping } from "./perf-processes.ts";
import { readKallsyms, readPerfMap } from "./symbols.ts";

interface LocalFile {
  readonly bytes: Uint8Array;
  readonly inode: number;
}

/** Reads a regular file of this machine; null if it cannot be read. `~/` is the home directory. */
export type LocalFiles = (path: string) => LocalFile | null;

/** The name of the function at an address of memory; null if it is unknown. */
type Symbolizer = (address: number, mapping: PerfMapping) => string | null;

const unknown: Symbolizer = () => null;

/**
 * Finds function names in the files that a recording names, if they are here and have the recorded build id: the file
 * itself, or the copy in perf's cache. Without a recorded build id, a file must have the recorded inode. Code that a
 * process generated has the names in the list that it left, `/tmp/perf-PID.map`, if that is still here.
 */
export class PerfModules {
  readonly #local: LocalFiles;
  readonly #symbolizers = new Map<string, Symbolizer>();
  /** Lists of generated code whose names were used. */
  readonly lists = new Set<string>();

  constructor(local: LocalFiles) {
    this.#local = local;
  }

  nameAt(address: number, mapping: PerfMapping): string | null {
    const key = `${mapping.buildId ?? mapping.inode} ${mapping.path}`;
    let symbolizer = this.#symbolizers.get(key);
    if (symbolizer === undefined) this.#symbolizers.set(key, (symbolizer = this.#open(mapping)));
    return symbolizer(address, mapping);
  }

  #open({ path, buildId, inode, reference, offset }: PerfMapping): Symbolizer {
    if (/^\/tmp\/perf-\d{1,10}\.map$/.test(path)) return this.#openList(path);
    if (buildId === undefined) return this.#openUnchanged(path, inode ?? 0);
    if (reference !== undefined) return this.#openKernel(buildId, reference, offset);
    const cache = cached(buildId);
    for (const each of path.startsWith("/") ? [path, `${cache}/elf`] : [`${cache}/elf`, `${cache}/vdso`]) {
      const file = this.#local(each);
      const elf = file === null ? null : readElf(file.bytes);
      if (elf?.buildId === buildId) return symbolizerOf(elf);
    }
    return unknown;
  }

  #openList(path: string): Symbolizer {
    const file = this.#local(path);
    if (file === null) return unknown;
    const symbols = readPerfMap(new TextDecoder().decode(file.bytes));
    return (address) => {
      const name = symbols.nameAt(address);
      if (name !== null) this.lists.add(path);
      return name;
    };
  }

  #openUnchanged(path: string, inode: number): Symbolizer {
    const file = inode !== 0 && path.startsWith("/") ? this.#local(path) : null;
    const elf = file?.inode === inode ? readElf(file.bytes) : null;
    return elf === null ? unknown : symbolizerOf(elf);
  }

  #openKernel(buildId: string, reference: string, address: number): Symbolizer {
    const notes = this.#local("/sys/kernel/notes");
    const isRunning = notes !== null && buildIdIn(notes.bytes) === buildId;
    for (const each of [...(isRunning ? ["/proc/kallsyms"] : []), `${cached(buildId)}/kallsyms`]) {
      const file = this.#local(each);
      const symbols = file === null ? null : readKallsyms(new TextDecoder().decode(file.bytes), reference, address);
      if (symbols !== null) return (at) => symbols.nameAt(at);
    }
    return unknown;
  }
}

function symbolizerOf(elf: ElfFile): Symbolizer {
  return (address, { start, offset }) => elf.nameAt(address - start + offset);
}

/** The folder of perf's cache, `perf help buildid-cache`. */
function cached(buildId: string): string {
  return `~/.debug/.build-id/${buildId.slice(0, 2)}/${buildId.slice(2)}`;
}

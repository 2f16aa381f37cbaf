import type { Run, StackProfile } from "../../core/profiles/index.ts";
import type { Values } from "../../core/values/index.ts";
import { type LocalFiles, stackRun } from "../../formats/stacks/index.ts";
import type { PluginInfo } from "../plugin.ts";

/** Context of reading. */
export interface ReadGuide {
  /** The name of the file as the user typed it, for messages; `-` is standard input. */
  readonly path: string;
  /** Sources below this directory are reported relative to it, so that names do not depend on the checkout. */
  readonly directory: string;
  /** Programs and libraries of this machine, for the names of functions; default: none. */
  readonly local?: LocalFiles;
  /** Programs of this machine that help to read the file; default: none. */
  readonly tools?: ReadTools;
}

/** Programs of this machine that readers use where it has them. */
export interface ReadTools {
  /** What `perf script` prints of the file; null: perf is missing, or cannot read it. `reason` is for the user. */
  perfScript(reason: string): Promise<Uint8Array | null>;
  /** Readable names of C++ and Rust functions, by the names of the linker; some or all may be missing. */
  demangle(names: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

/** Converts a file of another profiler to a profile. Pure. */
export interface Reader extends PluginInfo {
  readonly kind: "reader";
  /** Confidence, 0..1, that these first bytes (at most 64 KiB, uncompressed) are its format; ignores file names. */
  sniff(head: Uint8Array): number;
  /** The samples of a file by stack. The bytes are uncompressed, in chunks of any size. Fails only with a Failure. */
  stacks(source: AsyncIterable<Uint8Array>, options: Values, guide: ReadGuide): Promise<StackProfile>;
  /**
   * The run of a file. The bytes are uncompressed, in chunks of any size. The run has type, command, units, rows and
   * the collector as its first step, but no origin or machine. Fails only with a Failure.
   */
  read(source: AsyncIterable<Uint8Array>, options: Values, guide: ReadGuide): Promise<Run>;
}

/** Makes a reader for a format of stacks only. `file` of `stacks` is for messages. */
export function stackReader(
  name: string,
  synopsis: string,
  sniff: Reader["sniff"],
  stacks: (source: AsyncIterable<Uint8Array>, file: string) => Promise<StackProfile>,
): Reader {
  return Object.freeze<Reader>({
    kind: "reader",
    name,
    synopsis,
    options: [],
    sniff,
    stacks: (source, _, { path }) => stacks(source, path),
    read: async (source, _, { path, directory }) => stackRun(await stacks(source, path), name, directory),
  });
}

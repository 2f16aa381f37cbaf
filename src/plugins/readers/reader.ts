import type { Run } from "../../core/profiles/run.ts";
import type { StackProfile } from "../../core/profiles/stack-profile.ts";
import type { Values } from "../../core/values/value.ts";
import { stackRun } from "../../formats/stacks/stack-rows.ts";
import type { PluginInfo } from "../plugin.ts";

/** What a reader knows besides the bytes. */
export interface ReadGuide {
  /** The name of the file as the user typed it, for messages; `-` is standard input. */
  readonly path: string;
  /** Sources below this directory are told relative to it, so that the same place has the same name in every tree. */
  readonly directory: string;
}

/** Makes a profile of a file that another profiler wrote. Pure. */
export interface Reader extends PluginInfo {
  readonly kind: "reader";
  /**
   * How sure it is, 0..1, that these first bytes (at most 64 KiB, unpacked) are its format; never looks at file names.
   */
  sniff(head: Uint8Array): number;
  /**
   * The samples of a file by stack, whose bytes come in pieces of any size, unpacked. Fails with a Failure, whatever
   * the bytes.
   */
  stacks(source: AsyncIterable<Uint8Array>, options: Values, guide: ReadGuide): Promise<StackProfile>;
  /**
   * The run of a file, whose bytes come in pieces of any size, unpacked. It has type, command, units, rows and the
   * collector as its first step, and neither origin nor machine. Fails with a Failure, whatever the bytes.
   */
  read(source: AsyncIterable<Uint8Array>, options: Values, guide: ReadGuide): Promise<Run>;
}

/** A reader of a format that is nothing but stacks: its run is made of them. `file` of `stacks` is for messages. */
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

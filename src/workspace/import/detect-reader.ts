import type { Reader } from "../../plugins/readers/reader.ts";
import type { Registry } from "../plugins/registry.ts";
import { unpacked, type Headed } from "../files/gunzip.ts";
import type { Workspace } from "../workspace.ts";

/** A file of a profiler: its bytes, and who can read it; null: nobody knows its first bytes. */
export interface FoundReader extends Headed {
  readonly reader: Reader | null;
}

/**
 * Opens a file, or `-`, and finds the built-in reader of its format by the first bytes, unless it is named. Fails with
 * `unknown-plugin`, `packed-file`, `unreadable-file`.
 */
export async function foundReader(workspace: Workspace, file: string, name: string | undefined): Promise<FoundReader> {
  const { registry } = workspace;
  const wanted = name === undefined ? null : await registry.get("reader", name);
  const headed = await unpacked(workspace.files.stream(file), file);
  if (wanted !== null) return { ...headed, reader: wanted };
  const all = await Promise.all(registry.names("reader").map((each) => registry.get("reader", each)));
  return { ...headed, reader: surest(all, headed.head) };
}

/**
 * The reader of the user's that knows these first bytes, to be asked when nothing built in does. Fails with
 * `not-trusted`, `bad-plugin`.
 */
export async function addedReader(registry: Registry, head: Uint8Array): Promise<Reader | null> {
  const own = (await registry.users()).flatMap(({ plugin }) => (plugin.kind === "reader" ? [plugin] : []));
  return surest(own, head);
}

function surest(readers: readonly Reader[], head: Uint8Array): Reader | null {
  const [best] = readers.map((reader) => ({ reader, sure: reader.sniff(head) })).toSorted((a, b) => b.sure - a.sure);
  return best === undefined || best.sure <= 0 ? null : best.reader;
}

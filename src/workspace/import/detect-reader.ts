import type { Reader } from "../../plugins/readers/reader.ts";
import type { Registry } from "../plugins/registry.ts";
import { decompress, type PeekedStream } from "../files/compression.ts";
import type { Workspace } from "../workspace.ts";

/** A file of a profiler: its bytes, and who can read it; null: nobody knows its first bytes. */
export interface DetectedReader extends PeekedStream {
  readonly reader: Reader | null;
}

/**
 * Opens a file, or `-`, and finds the built-in reader of its format by the first bytes, unless it is named. Fails with
 * `unknown-plugin`, `packed-file`, `unreadable-file`.
 */
export async function detectReader(
  workspace: Workspace,
  file: string,
  name: string | undefined,
): Promise<DetectedReader> {
  const { registry } = workspace;
  const wanted = name === undefined ? null : await registry.get("reader", name);
  const headed = await decompress(workspace.files.stream(file), file);
  if (wanted !== null) return { ...headed, reader: wanted };
  const all = await Promise.all(registry.names("reader").map((each) => registry.get("reader", each)));
  return { ...headed, reader: mostConfident(all, headed.head) };
}

/**
 * The reader of the user's that knows these first bytes, to be asked when nothing built in does. Fails with
 * `not-trusted`, `bad-plugin`.
 */
export async function detectUserReader(registry: Registry, head: Uint8Array): Promise<Reader | null> {
  const own = (await registry.userPlugins()).flatMap(({ plugin }) => (plugin.kind === "reader" ? [plugin] : []));
  return mostConfident(own, head);
}

function mostConfident(readers: readonly Reader[], head: Uint8Array): Reader | null {
  const [best] = readers.map((reader) => ({ reader, sure: reader.sniff(head) })).toSorted((a, b) => b.sure - a.sure);
  return best === undefined || best.sure <= 0 ? null : best.reader;
}

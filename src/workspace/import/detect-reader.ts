import { join } from "node:path";
import type { LocalFiles } from "../../formats/stacks/index.ts";
import type { Reader } from "../../plugins/readers/reader.ts";
import type { Registry } from "../plugins/index.ts";
import { decompress, type PeekedStream } from "../files/index.ts";
import type { Workspace } from "../workspace.ts";

/** An opened profiler file; `reader` null: unknown format. */
export interface DetectedReader extends PeekedStream {
  readonly reader: Reader | null;
}

/**
 * Opens a file, or `-`, with the named reader, else the built-in one that recognises its first bytes. Fails with
 * `unknown-plugin`, `packed-file`, `unreadable-file`.
 */
export async function detectReader(
  workspace: Workspace,
  file: string,
  name: string | undefined,
): Promise<DetectedReader> {
  const { registry } = workspace;
  const requested = name === undefined ? null : await registry.get("reader", name);
  const headed = await decompress(workspace.files.stream(file), file);
  if (requested !== null) return { ...headed, reader: requested };
  const all = await Promise.all(registry.names("reader").map((each) => registry.get("reader", each)));
  return { ...headed, reader: mostConfident(all, headed.head) };
}

/**
 * The reader among the plug-ins of the user that recognises these bytes; to be called if no built-in reader does. Fails
 * with `not-trusted`, `bad-plugin`.
 */
export async function detectUserReader(registry: Registry, head: Uint8Array): Promise<Reader | null> {
  const added = (await registry.userPlugins()).flatMap(({ plugin }) => (plugin.kind === "reader" ? [plugin] : []));
  return mostConfident(added, head);
}

/** Access of readers to programs and libraries of this machine. */
export function localFiles(workspace: Workspace): LocalFiles {
  return (path) => workspace.files.readLocal(path.startsWith("~/") ? join(workspace.home(), path.slice(2)) : path);
}

function mostConfident(readers: readonly Reader[], head: Uint8Array): Reader | null {
  const [best] = readers.map((reader) => ({ reader, sure: reader.sniff(head) })).toSorted((a, b) => b.sure - a.sure);
  return best === undefined || best.sure <= 0 ? null : best.reader;
}

import { join, resolve } from "node:path";
import type { LocalFiles } from "../../formats/stacks/index.ts";
import type { Reader, ReadGuide, ReadTools } from "../../plugins/readers/reader.ts";
import type { Registry } from "../plugins/index.ts";
import { decompress, type PeekedStream } from "../files/index.ts";
import { profileFolderReader } from "./profile-folder.ts";
import type { Workspace } from "../workspace.ts";

/** An opened profiler file; `reader` null: unknown format. */
export interface DetectedReader extends PeekedStream {
  readonly reader: Reader | null;
}

/**
 * Opens a file, a folder of TAU, or `-`, with the named reader, else the built-in one that recognises its first bytes.
 * Fails with `unknown-plugin`, `packed-file`, `unreadable-file`.
 */
export async function detectReader(
  workspace: Workspace,
  file: string,
  name: string | undefined,
): Promise<DetectedReader> {
  const { registry, files } = workspace;
  if (file !== "-" && files.isFolder(file))
    return { reader: profileFolderReader(workspace, file), head: new Uint8Array(0), source: noBytes() };
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

/** The guide of a reader of `file`, as the user typed it. `directory`: the one that its paths are relative to. */
export function readGuide(workspace: Workspace, file: string, directory: string): ReadGuide {
  return { path: file, directory, local: localFiles(workspace), tools: localTools(workspace, file) };
}

/** Access of readers to programs and libraries of this machine. */
function localFiles(workspace: Workspace): LocalFiles {
  return (path) => workspace.files.readLocal(path.startsWith("~/") ? join(workspace.home(), path.slice(2)) : path);
}

/** Most bytes of the text of perf script; more would not fit into memory as stacks. */
const mostText = 1 << 30;

/**
 * perf and c++filt of this machine, for the reader of `file` as the user typed it. What they are used for, and what is
 * missing, is a warning.
 */
export function localTools(workspace: Workspace, file: string): ReadTools {
  const { directory, warn } = workspace.world;
  return {
    async perfScript(reason) {
      const shell = workspace.shell();
      if (file === "-" || (await shell.which("perf")) === null) return null;
      const argv = ["perf", "script", "--no-inline", "-i", resolve(directory, file)];
      const { status, stdout, truncated } = await shell.run(argv, { directory, captureLimit: mostText });
      if (status !== 0 || truncated) return null;
      warn?.(`${file} is read by perf script: ${reason}`);
      return stdout;
    },
    async demangle(names) {
      const shell = workspace.shell();
      const filter = await shell.which("c++filt");
      if (filter === null) {
        warn?.(`${names.length} names of C++ or Rust functions stay mangled: c++filt of binutils is not installed`);
        return new Map();
      }
      const input = new TextEncoder().encode(`${names.join("\n")}\n`);
      const { status, stdout } = await shell.run([filter, "--no-params", "--no-verbose"], {
        directory,
        input,
        captureLimit: mostText,
      });
      const lines = new TextDecoder().decode(stdout).split("\n");
      return status !== 0 || lines.length !== names.length + 1
        ? new Map()
        : new Map(names.map((name, at) => [name, lines[at]!]));
    },
  };
}

async function* noBytes(): AsyncGenerator<Uint8Array> {}

function mostConfident(readers: readonly Reader[], head: Uint8Array): Reader | null {
  const [best] = readers.map((reader) => ({ reader, sure: reader.sniff(head) })).toSorted((a, b) => b.sure - a.sure);
  return best === undefined || best.sure <= 0 ? null : best.reader;
}

import { join, resolve } from "node:path";
import { Failure } from "../../core/failures/index.ts";
import { readTauFiles, type LocalFiles, type TauFile } from "../../formats/stacks/index.ts";
import { stackReader, type Reader, type ReadGuide, type ReadTools } from "../../plugins/readers/reader.ts";
import type { Registry } from "../plugins/index.ts";
import { decompress, type PeekedStream } from "../files/index.ts";
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

/** `profile.NODE.CONTEXT.THREAD`, in a folder of its metric if there are several. */
const tauFile = /^(?:(MULTI__[^/]+)\/)?profile\.(\d{1,9})\.(\d{1,9})\.(\d{1,9})$/;

/**
 * The reader of a folder that a profiler wrote: TAU, with a file per process or thread. It ignores the bytes it is
 * given. Fails with `unreadable-file` for other folders.
 */
function profileFolderReader(workspace: Workspace, folder: string): Reader {
  const { files, world } = workspace;
  const { paths } = files.walk(folder, { include: ["profile.*", "MULTI__*/profile.*"], exclude: ["*/*/*"] });
  const found = paths.flatMap((name) => {
    const [, metric = "", ...numbers] = tauFile.exec(name) ?? [];
    return numbers.length === 0 ? [] : [{ path: `${folder}/${name}`, metric, location: numbers.map(Number) }];
  });
  if (found.length === 0) {
    const reason = "is a directory without files profile.N.C.T of TAU; name the files in it";
    throw new Failure("unreadable-file", { path: folder, reason });
  }
  for (const gap of missingFiles(found)) world.warn?.(`${folder}: ${gap}`);
  function* opened(): Generator<TauFile> {
    for (const { path, location } of found) yield { path, location, bytes: files.read(path) };
  }
  return stackReader(
    "tau",
    "a folder of TAU",
    () => 0,
    async (_, name) => readTauFiles(opened(), name),
  );
}

/** Files that the folder of one metric has and that of another lacks. */
function missingFiles(found: readonly { readonly metric: string; readonly location: readonly number[] }[]): string[] {
  const nameOf = (location: readonly number[]): string => `profile.${location.join(".")}`;
  const known = new Set(found.map(({ metric, location }) => `${metric}/${nameOf(location)}`));
  const names = [...new Set(found.map(({ location }) => nameOf(location)))];
  return [...new Set(found.map(({ metric }) => metric))].flatMap((metric) =>
    names.flatMap((name) => (known.has(`${metric}/${name}`) ? [] : [`${metric || "it"} has no ${name}`])),
  );
}

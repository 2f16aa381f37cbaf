import { Failure } from "../../core/failures/index.ts";
import { readTauFiles, type TauFile } from "../../formats/stacks/index.ts";
import { stackReader, type Reader } from "../../plugins/readers/reader.ts";
import type { Workspace } from "../workspace.ts";

/** `profile.NODE.CONTEXT.THREAD`, in a folder of its metric if there are several. */
const tauFile = /^(?:(MULTI__[^/]+)\/)?profile\.(\d{1,9})\.(\d{1,9})\.(\d{1,9})$/;

/**
 * The reader of a folder that a profiler wrote: TAU, with a file per process or thread. It ignores the bytes it is
 * given. Fails with `unreadable-file` for other folders.
 */
export function profileFolderReader(workspace: Workspace, folder: string): Reader {
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

import { Failure } from "../../core/failures/index.ts";
import { counted } from "../../core/text/index.ts";
import type { FileSelection, Files, SkipReason } from "../../workspace/files/index.ts";
import type { ImportOptions } from "./options.ts";

/** Names in a notice of skipped entries. */
const maxNames = 5;

/**
 * The paths of files, in which each folder is replaced by the selected files below it. Notices report what is skipped.
 * Fails with `is-folder` without `recursive`, `no-files-selected` and `unreadable-file`.
 */
export function locateFolders(
  files: Files,
  paths: readonly string[],
  { recursive, notice = () => {} }: Pick<ImportOptions, "recursive" | "notice">,
): readonly string[] {
  return paths.flatMap((path) => {
    if (path === "-" || !files.isFolder(path)) return [path];
    if (recursive === undefined) throw new Failure("is-folder", { path });
    return filesBelow(files, path, recursive, (text) => notice(path, 0, text));
  });
}

function filesBelow(files: Files, folder: string, selection: FileSelection, notice: (text: string) => void): string[] {
  const { paths, skipped } = files.walk(folder, selection);
  for (const [reason, names] of skipped) notice(skipNotice(reason, names));
  if (paths.length === 0) throw new Failure("no-files-selected", { folder });
  return paths.map((path) => pathBelow(folder, path));
}

/** Files of the working directory have no folder, except for one that would be standard input. */
function pathBelow(folder: string, path: string): string {
  if (folder === "." || folder === "./") return path === "-" ? "./-" : path;
  return folder.endsWith("/") ? `${folder}${path}` : `${folder}/${path}`;
}

function skipNotice(reason: SkipReason, names: readonly string[]): string {
  const more = names.length - maxNames;
  const shown = more <= 1 ? names : [...names.slice(0, maxNames), `${more} more`];
  return `skipped ${counted(names.length, "entry", "entries")} (${reason}): ${shown.join(", ")}`;
}

import type { Workspace } from "../workspace.ts";

/** Longer files are no sources that anybody wrote. */
const mostBytes = 1 << 20;
const mostFiles = 50;

/**
 * The texts of those sources that are at hand, as they are now. Profiles tell any paths: only files within the
 * directory that the user stands in are read, and only those that lie there by themselves.
 */
export function sourceTexts({ files, world }: Workspace, paths: readonly string[]): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const path of paths.slice(0, mostFiles)) {
    if (path === "" || path.includes("\0") || files.isAbsolute(path)) continue;
    try {
      const facts = files.inspect(path);
      if (facts !== null && facts.size <= mostBytes && files.isInside(path, world.directory))
        texts.set(path, new TextDecoder().decode(files.read(path)));
    } catch {
      // A path that no file can have, or one that may not be read: it is not at hand.
    }
  }
  return texts;
}

import { Failure } from "../../core/failures/index.ts";
import type { Run } from "../../core/profiles/index.ts";
import { decodeProfile } from "../../formats/profile/index.ts";
import type { Workspace } from "../workspace.ts";
import type { Located } from "./locate.ts";

/** Longer files are not hand-written sources. */
const maxSourceBytes = 1 << 20;
const maxSourceFiles = 50;

/**
 * Current texts of the sources that exist. Profiles may name any path: reads only files inside the working directory,
 * with links resolved.
 */
export function readSourceTexts({ files, world }: Workspace, paths: readonly string[]): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const path of paths.slice(0, maxSourceFiles)) {
    if (path === "" || path.includes("\0") || files.isAbsolute(path)) continue;
    try {
      const facts = files.inspect(path);
      if (facts !== null && facts.size <= maxSourceBytes && files.isInside(path, world.directory))
        texts.set(path, new TextDecoder().decode(files.read(path)));
    } catch {
      // An invalid path or an unreadable file is skipped.
    }
  }
  return texts;
}

/** Reads and decodes a profile; upgrades old formats. */
export function readRun(workspace: Workspace, located: Located): Run {
  if (located.kind === "file") return decodeProfile(workspace.files.read(located.path), located.name);
  const { kind, body } = workspace.store().objects.get(located.digest);
  if (kind !== "profile")
    throw new Failure("not-a-profile", { file: `object ${located.digest}`, reason: "it holds an attachment" });
  return decodeProfile(body);
}

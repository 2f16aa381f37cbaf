import { Failure } from "../../../core/failures/failure.ts";
import type { Damage } from "./damage.ts";
import { reasonOf } from "./git-errors.ts";
import type { GitProgram } from "./git-program.ts";

/** By part, by path, the blob. */
export type SharedTree = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** More files are refused: a few kilobytes of trees within trees can tell of any number. */
const maxFiles = 5_000_000;

/** No part has longer paths. */
const maxLineLength = 400;

/**
 * The files of a commit of a remote, which may be anything. Folders of parts that are not known (of later versions) are
 * passed over. Fails with `share-refused` for everything that is not a plain file at a path that its part accepts;
 * where there is a place to note it, it is left out.
 */
export async function readTree(
  git: GitProgram,
  commit: string,
  accepts: (part: string, path: string) => boolean,
  { limit = maxFiles, damage }: { readonly limit?: number; readonly damage?: Damage | undefined } = {},
): Promise<SharedTree> {
  const running = git.start(["ls-tree", "-r", "-z", "--full-tree", commit]);
  running.stdin.end();
  const tree = new Map<string, Map<string, string>>();
  try {
    let count = 0;
    for await (const line of linesOf(running.stdout as AsyncIterable<Buffer>)) {
      if (++count > limit) throw new Failure("share-refused", { reason: `it has more than ${limit} files` });
      try {
        addLine(line, tree, accepts);
      } catch (error) {
        if (damage === undefined) throw error;
        damage.note(line.slice(line.indexOf("\t") + 1), error);
      }
    }
    const { status, stderr } = await running.ended;
    if (status !== 0) throw new Failure("share-refused", { reason: reasonOf({ status, stderr }) });
    return tree;
  } finally {
    running.kill();
  }
}

/** `<mode> blob <id>\t<part>/<path>` */
function addLine(
  line: string,
  tree: Map<string, Map<string, string>>,
  accepts: (part: string, path: string) => boolean,
): void {
  const [, mode, id = "", path = ""] = /^(\d{6}) [a-z]+ ([0-9a-f]{40})\t(.*)$/s.exec(line) ?? [];
  const [, part = "", rest = ""] = /^([a-z]{1,40})\/([^/]+(?:\/[^/]+)?)$/s.exec(path) ?? [];
  if (part === "")
    throw new Failure("share-refused", { path: escapedPath(path), reason: "no path of this form is shared" });
  if (mode !== "100644")
    throw new Failure("share-refused", { path: escapedPath(path), reason: "it is not a plain file" });
  if (!accepts(part, rest))
    throw new Failure("share-refused", { path: escapedPath(path), reason: "no path of this form is shared" });
  const known = tree.get(part);
  if (known === undefined) tree.set(part, new Map([[rest, id]]));
  else known.set(rest, id);
}

/** The pieces between NULs. */
async function* linesOf(stream: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest = "";
  for await (const piece of stream) {
    const lines = (rest + piece.toString("latin1")).split("\0");
    rest = lines.pop() ?? "";
    yield* lines;
    if (rest.length > maxLineLength)
      throw new Failure("share-refused", { path: escapedPath(rest), reason: "no path of this form is shared" });
  }
}

function escapedPath(path: string): string {
  // Control characters as escapes: a refusal is one line.
  return JSON.stringify(path.slice(0, 120)).slice(1, -1);
}

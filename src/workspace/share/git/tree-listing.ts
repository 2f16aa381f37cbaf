import { Failure } from "../../../core/failures/index.ts";
import type { Damage } from "./damage.ts";
import { reasonOf } from "./git-errors.ts";
import type { GitProgram } from "./git-program.ts";

/** Blob ids by part and path. */
export type SharedTree = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Maximum number of files: a few kilobytes of nested trees can list any number. */
const maxFiles = 5_000_000;

const emptyTree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

/** Parts have shorter paths. */
const maxLineLength = 400;

/**
 * Lists the files of an untrusted commit. Ignores folders of unknown parts (of later versions). Fails with
 * `share-refused` for anything but regular files at accepted paths; with `damage`, records and skips them.
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
    // git ignores that it cannot write to a pipe.
    if (count === 0 && (await git.answer(["rev-parse", `${commit}^{tree}`])).trim() !== emptyTree) throw incomplete();
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
  if (part === "") throw new Failure("share-refused", { path: escapedPath(path), reason: "invalid path" });
  if (mode !== "100644")
    throw new Failure("share-refused", { path: escapedPath(path), reason: "it is not a regular file" });
  if (!accepts(part, rest)) throw new Failure("share-refused", { path: escapedPath(path), reason: "invalid path" });
  const known = tree.get(part);
  if (known === undefined) tree.set(part, new Map([[rest, id]]));
  else known.set(rest, id);
}

function incomplete(): Failure {
  return new Failure("share-refused", { reason: "git does not list all of its files" });
}

/** Splits at NUL. */
async function* linesOf(stream: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest = "";
  for await (const piece of stream) {
    const lines = (rest + piece.toString("latin1")).split("\0");
    rest = lines.pop() ?? "";
    yield* lines;
    if (rest.length > maxLineLength)
      throw new Failure("share-refused", { path: escapedPath(rest), reason: "invalid path" });
  }
  if (rest !== "") throw incomplete();
}

function escapedPath(path: string): string {
  // Escapes control characters: a refusal is one line.
  return JSON.stringify(path.slice(0, 120)).slice(1, -1);
}

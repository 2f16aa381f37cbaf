import { gitFailure, type GitProgram } from "./git-program.ts";

/**
 * A file of the shared tree: its new content, a blob that is there already, or none any more; then its path may be
 * anything, a character for each byte.
 */
export type TreeChange = { readonly path: string } & (
  | { readonly content: Uint8Array }
  | { readonly blob: string }
  | { readonly isGone: true }
);

export interface NewCommit {
  readonly ref: string;
  readonly base: string | null;
  /** Its time, unix seconds. */
  readonly seconds: number;
}

/**
 * Writes one commit in one process, whatever the number of files. Contents are neither compared with others nor packed
 * hard: they are profiles, and seldom alike.
 */
export async function fastImport(
  git: GitProgram,
  commit: NewCommit,
  changes: AsyncIterable<TreeChange>,
): Promise<void> {
  const args = ["fast-import", "--quiet", "--force", "--done", "--depth=0", "--date-format=raw"];
  const answer = await git.run(args, { input: statements(commit, changes) });
  if (answer.status !== 0) throw gitFailure("fast-import", git.folder, answer);
}

async function* statements(
  { ref, base, seconds }: NewCommit,
  changes: AsyncIterable<TreeChange>,
): AsyncGenerator<Uint8Array> {
  const line = (text: string): Uint8Array => new TextEncoder().encode(`${text}\n`);
  yield line(`commit ${ref}\ncommitter perfkeep <perfkeep> ${seconds} +0000\ndata 9\nperfkeep\n`);
  if (base !== null) yield line(`from ${base}`);
  for await (const change of changes) {
    if ("isGone" in change) {
      yield line(`D ${quoted(change.path)}`);
      continue;
    }
    if ("blob" in change) {
      yield line(`M 100644 ${change.blob} ${change.path}`);
      continue;
    }
    yield line(`M 100644 inline ${change.path}\ndata ${change.content.length}`);
    yield change.content;
    yield line("");
  }
  yield line("done");
}

/** As git reads it in any case: odd bytes in octal digits. */
function quoted(path: string): string {
  const octal = (character: string): string => `\\${character.charCodeAt(0).toString(8).padStart(3, "0")}`;
  return `"${path.replaceAll(/[^A-Za-z0-9/._-]/g, octal)}"`;
}

import { gitFailure, type GitProgram } from "./git-program.ts";

/**
 * A change of a file in the shared tree: new bytes, an existing blob, or removal. The path of a removal may be
 * arbitrary, one character per byte.
 */
export type TreeChange = { readonly path: string } & (
  | { readonly bytes: Uint8Array }
  | { readonly blob: string }
  | { readonly isGone: true }
);

export interface NewCommit {
  readonly ref: string;
  readonly base: string | null;
  /** Unix seconds. */
  readonly seconds: number;
}

/** Writes a commit with one process. No delta compression: profiles are seldom similar. */
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
    yield line(`M 100644 inline ${change.path}\ndata ${change.bytes.length}`);
    yield change.bytes;
    yield line("");
  }
  yield line("done");
}

/** Quoted for git, unusual bytes in octal. */
function quoted(path: string): string {
  const octal = (character: string): string => `\\${character.charCodeAt(0).toString(8).padStart(3, "0")}`;
  return `"${path.replaceAll(/[^A-Za-z0-9/._-]/g, octal)}"`;
}

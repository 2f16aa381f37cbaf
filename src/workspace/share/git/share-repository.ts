import { rmSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../../../core/failures/index.ts";
import {
  makeFolder,
  writeDurably,
  wrapWriteErrors,
  isFolder,
  listFolder,
  readRegularFile,
  lstatOrNull,
} from "../../../store/durable/index.ts";
import type { Damage } from "./damage.ts";
import { fastImport, type TreeChange } from "./fast-import.ts";
import { reasonOf } from "./git-errors.ts";
import { GitProgram } from "./git-program.ts";
import { readTree, type SharedTree } from "./tree-listing.ts";

/** The complete configuration of the repository. */
const ownConfiguration = "[core]\n\trepositoryformatversion = 0\n\tfilemode = false\n\tbare = true\n";

/** No branch: all references are below refs/perfkeep. */
const ownHead = "ref: refs/heads/none\n";

/** Packs are merged from this number on. */
const repackThreshold = 24;

/**
 * The bare repository of an instance for shared data, separate from the user's. All of it can be fetched or created
 * again.
 */
export class ShareRepository {
  readonly git: GitProgram;
  readonly #folder: string;

  private constructor(folder: string, git: GitProgram) {
    this.#folder = folder;
    this.git = git;
  }

  /** Opens the repository, creating it if missing. Resets its configuration, which could name programs. */
  static async open(
    folder: string,
    environment: Readonly<Record<string, string | undefined>>,
  ): Promise<ShareRepository> {
    const git = new GitProgram(folder, environment);
    const encoder = new TextEncoder();
    for (const name of ["objects/info", "objects/pack", "refs"]) makeFolder(join(folder, name));
    if (configurationOf(folder) !== ownConfiguration)
      writeDurably(join(folder, "config"), [encoder.encode(ownConfiguration)]);
    for (const name of ["objects/info/alternates", "objects/info/http-alternates", "shallow"])
      wrapWriteErrors(name, () => rmSync(join(folder, name), { force: true }));
    // Also if it is there: an interrupted creation may have left half of it, which git takes for no repository.
    if (textOf(join(folder, "HEAD")) !== ownHead) writeDurably(join(folder, "HEAD"), [encoder.encode(ownHead)]);
    return new ShareRepository(folder, git);
  }

  /**
   * Checks the repository in `folder`; returns the problem in one line, null if there is none, or no repository or an
   * unfinished one, which `open` completes. Changes nothing, and runs nothing if the configuration was modified. Fails
   * with `vcs-missing`, and with `not-a-plain-file` for a link.
   */
  static async checkFolder(
    folder: string,
    environment: Readonly<Record<string, string | undefined>>,
  ): Promise<string | null> {
    if (!isFolder(folder)) return null;
    const configuration = configurationOf(folder);
    if (configuration === null || textOf(join(folder, "HEAD")) !== ownHead) return null;
    if (configuration !== ownConfiguration) return "its configuration is not the one that perfkeep writes";
    return new ShareRepository(folder, new GitProgram(folder, environment)).check();
  }

  /** Checks all objects; returns the problem in one line, or null. */
  async check(): Promise<string | null> {
    const end = await this.git.run(["fsck", "--no-dangling", "--no-progress"]);
    return end.status === 0 ? null : reasonOf({ ...end, stderr: `${end.stderr}\n${end.stdout}` });
  }

  /**
   * The commit of a ref; null if the ref is missing. Fails with `share-refused` if it names anything else, and in
   * SHA-256 repositories.
   */
  async commitOf(ref: string): Promise<string | null> {
    const output = await this.git.answer(["cat-file", "--batch-check=%(objectname) %(objecttype)"], {
      input: [new TextEncoder().encode(`${ref}\n`)],
    });
    const [, id, type] = /^([0-9a-f]{40}) ([a-z]+)$/.exec(output.trim()) ?? [];
    if (id === undefined) return null;
    if (type === "commit") return id;
    throw new Failure("share-refused", { reason: `its ref names a ${type} instead of a commit` });
  }

  /** The tree of a commit by parts. Fails with `share-refused` for paths that no part accepts. */
  tree(commit: string, accepts: (part: string, path: string) => boolean, damage?: Damage): Promise<SharedTree> {
    return readTree(this.git, commit, accepts, { damage });
  }

  /** Commits `changes` on `base` and sets `ref`; returns the commit. */
  async commit(ref: string, base: string | null, changes: AsyncIterable<TreeChange>, seconds: number): Promise<string> {
    await fastImport(this.git, { ref, base, seconds }, changes);
    const created = await this.commitOf(ref);
    if (created === null)
      throw new Failure("share-repository", {
        action: "fast-import",
        path: this.#folder,
        reason: "the commit is missing",
      });
    return created;
  }

  /** Removes stale locks and partial packs of a killed git. Only under the share lock. */
  clearLeftovers(): void {
    for (const path of [...lockFiles(this.#folder), ...temporaryPacks(this.#folder)])
      wrapWriteErrors(path, () => rmSync(path, { force: true }));
  }

  /** Merges small packs once there are many, since their number determines the time of git. */
  async repack(): Promise<void> {
    if (packsIn(this.#folder) < repackThreshold) return;
    // Failure is ignored: older versions of git lack the option.
    await this.git.run(["repack", "--geometric=2", "-d", "-q"]);
  }

  /** Prunes unreachable objects and repacks the rest. */
  async collectGarbage(): Promise<{ readonly before: number; readonly after: number }> {
    const before = bytesIn(this.#folder);
    await this.git.answer(["repack", "-a", "-d", "-q", "--no-write-bitmap-index"]);
    await this.git.answer(["prune", "--expire=now"]);
    return { before, after: bytesIn(this.#folder) };
  }
}

function configurationOf(folder: string): string | null {
  return textOf(join(folder, "config"));
}

function textOf(path: string): string | null {
  const bytes = readRegularFile(path);
  return bytes === null ? null : new TextDecoder().decode(bytes);
}

/** Locks of refs and of packed-refs. */
function lockFiles(folder: string): string[] {
  const below = (path: string): string[] =>
    listFolder(path).flatMap((entry) => {
      const inner = join(path, entry.name);
      return entry.isDirectory() ? below(inner) : entry.name.endsWith(".lock") ? [inner] : [];
    });
  const top = listFolder(folder).filter(({ name }) => name.endsWith(".lock"));
  return [...top.map(({ name }) => join(folder, name)), ...below(join(folder, "refs"))];
}

/** Unfinished packs of git are named `tmp_pack_…`, `tmp_idx_…`. */
function temporaryPacks(folder: string): string[] {
  const packs = join(folder, "objects", "pack");
  const files = listFolder(packs).filter(({ name }) => name.startsWith("tmp_"));
  return files.map(({ name }) => join(packs, name));
}

function packsIn(folder: string): number {
  return listFolder(join(folder, "objects", "pack")).filter(({ name }) => name.endsWith(".pack")).length;
}

function bytesIn(folder: string): number {
  const below = (path: string): number =>
    listFolder(path).reduce((sum, entry) => {
      const inner = join(path, entry.name);
      return sum + (entry.isDirectory() ? below(inner) : (lstatOrNull(inner)?.size ?? 0));
    }, 0);
  return below(join(folder, "objects"));
}

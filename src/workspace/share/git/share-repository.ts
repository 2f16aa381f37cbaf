import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../../../core/failures/failure.ts";
import { makeFolder, writeDurably } from "../../../store/durable/durable-file.ts";
import { wrapReadErrors, wrapWriteErrors } from "../../../store/durable/file-failure.ts";
import { isFolder, readRegularFile, lstatOrNull } from "../../../store/durable/regular-file.ts";
import type { Damage } from "./damage.ts";
import { fastImport, type TreeChange } from "./fast-import.ts";
import { reasonOf } from "./git-errors.ts";
import { GitProgram } from "./git-program.ts";
import { readTree, type SharedTree } from "./tree-listing.ts";

/** All that the repository's own configuration may say. */
const ownConfiguration = "[core]\n\trepositoryformatversion = 0\n\tfilemode = false\n\tbare = true\n";

/** From so many packs on they are put together. */
const repackThreshold = 24;

/**
 * The bare repository of an instance in which what is shared travels: the user's own is never touched. All of it can be
 * fetched or made again.
 */
export class ShareRepository {
  readonly git: GitProgram;
  readonly #folder: string;

  private constructor(folder: string, git: GitProgram) {
    this.#folder = folder;
    this.git = git;
  }

  /**
   * Makes it unless it is there. Whatever somebody put into its configuration is gone afterwards: it could name
   * programs.
   */
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
    if (readRegularFile(join(folder, "HEAD")) === null)
      writeDurably(join(folder, "HEAD"), [encoder.encode("ref: refs/heads/none\n")]);
    return new ShareRepository(folder, git);
  }

  /**
   * What is wrong with the repository in `folder`, in one line; null: nothing is, or there is none yet. Changes
   * nothing, and runs nothing where somebody else has written the configuration. Fails with `vcs-missing`, and with
   * `not-a-plain-file` where a link or something else is in its place.
   */
  static async checkFolder(
    folder: string,
    environment: Readonly<Record<string, string | undefined>>,
  ): Promise<string | null> {
    if (!isFolder(folder)) return null;
    const configuration = configurationOf(folder);
    if (configuration === null) return null;
    if (configuration !== ownConfiguration) return "its configuration is not the one that perfkeep writes";
    return new ShareRepository(folder, new GitProgram(folder, environment)).check();
  }

  /** Reads all of it. What is wrong, in one line; null: nothing is. */
  async check(): Promise<string | null> {
    const end = await this.git.run(["fsck", "--no-dangling", "--no-progress"]);
    return end.status === 0 ? null : reasonOf({ ...end, stderr: `${end.stderr}\n${end.stdout}` });
  }

  /**
   * The commit that a ref names; null when there is no such ref. Fails with `share-refused` when it names anything
   * else, and in repositories of SHA-256.
   */
  async commitOf(ref: string): Promise<string | null> {
    const told = await this.git.answer(["cat-file", "--batch-check=%(objectname) %(objecttype)"], {
      input: [new TextEncoder().encode(`${ref}\n`)],
    });
    const [, id, type] = /^([0-9a-f]{40}) ([a-z]+)$/.exec(told.trim()) ?? [];
    if (id === undefined) return null;
    if (type === "commit") return id;
    throw new Failure("share-refused", { reason: `its ref names a ${type}, not a commit` });
  }

  /** The tree of a commit, by parts. Fails with `share-refused` when it holds anything that no part accepts. */
  tree(commit: string, accepts: (part: string, path: string) => boolean, damage?: Damage): Promise<SharedTree> {
    return readTree(this.git, commit, accepts, { damage });
  }

  /** Keeps a commit with `changes` after `base` under `ref`, and answers it. */
  async commit(ref: string, base: string | null, changes: AsyncIterable<TreeChange>, seconds: number): Promise<string> {
    await fastImport(this.git, { ref, base, seconds }, changes);
    const made = await this.commitOf(ref);
    if (made === null)
      throw new Failure("share-repository", {
        action: "fast-import",
        path: this.#folder,
        reason: "the commit is not there",
      });
    return made;
  }

  /**
   * Removes what a git left that was killed, or found no room: locks, so that others wait, and halves of packs. Only
   * for whoever holds the lock of what is shared.
   */
  clearLeftovers(): void {
    for (const path of [...lockFiles(this.#folder), ...temporaryPacks(this.#folder)])
      wrapWriteErrors(path, () => rmSync(path, { force: true }));
  }

  /** Puts small packs together, once there are many: what costs time goes by their number. */
  async repack(): Promise<void> {
    if (packsIn(this.#folder) < repackThreshold) return;
    // Not a failure of anything when it cannot be done: an older git does not know how.
    await this.git.run(["repack", "--geometric=2", "-d", "-q"]);
  }

  /** Drops what no ref leads to, and packs the rest anew. */
  async collectGarbage(): Promise<{ readonly before: number; readonly after: number }> {
    const before = bytesIn(this.#folder);
    await this.git.answer(["repack", "-a", "-d", "-q", "--no-write-bitmap-index"]);
    await this.git.answer(["prune", "--expire=now"]);
    return { before, after: bytesIn(this.#folder) };
  }
}

function configurationOf(folder: string): string | null {
  const bytes = readRegularFile(join(folder, "config"));
  return bytes === null ? null : new TextDecoder().decode(bytes);
}

/** Locks of refs and of the list of packed ones, wherever they lie. */
function lockFiles(folder: string): string[] {
  const below = (path: string): string[] =>
    wrapReadErrors(path, () => readdirSync(path, { withFileTypes: true })).flatMap((entry) => {
      const inner = join(path, entry.name);
      return entry.isDirectory() ? below(inner) : entry.name.endsWith(".lock") ? [inner] : [];
    });
  const top = readdirSync(folder).filter((name) => name.endsWith(".lock"));
  return [...top.map((name) => join(folder, name)), ...below(join(folder, "refs"))];
}

/** Git names what it has not finished `tmp_pack_…`, `tmp_idx_…`. */
function temporaryPacks(folder: string): string[] {
  const packs = join(folder, "objects", "pack");
  const names = wrapReadErrors(packs, () => readdirSync(packs));
  return names.filter((name) => name.startsWith("tmp_")).map((name) => join(packs, name));
}

function packsIn(folder: string): number {
  const packs = join(folder, "objects", "pack");
  return isFolder(packs) ? readdirSync(packs).filter((name) => name.endsWith(".pack")).length : 0;
}

function bytesIn(folder: string): number {
  const below = (path: string): number =>
    wrapReadErrors(path, () => readdirSync(path, { withFileTypes: true })).reduce((sum, entry) => {
      const inner = join(path, entry.name);
      return sum + (entry.isDirectory() ? below(inner) : (lstatOrNull(inner)?.size ?? 0));
    }, 0);
  return below(join(folder, "objects"));
}

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { MinorVersion, VersionId } from "../../../core/versions/index.ts";
import { Git, HistoryReader, historyOptions } from "../git-process.ts";
import { git as plugin } from "../git.ts";
import { readCommit, walkCommits } from "./commits.ts";
import { readPlainRepository } from "./plain-repository.ts";

const environment = { PATH: process.env["PATH"], HOME: "/nonexistent", GIT_CONFIG_NOSYSTEM: "1" };
const identity = { GIT_AUTHOR_NAME: "A", GIT_AUTHOR_EMAIL: "a@b", GIT_COMMITTER_NAME: "A", GIT_COMMITTER_EMAIL: "a@b" };

let path: string;
beforeEach(() => {
  path = realpathSync(mkdtempSync(join(tmpdir(), "git-files-")));
  git("init", "--quiet", "--initial-branch=main");
});
afterEach(() => rmSync(path, { recursive: true, force: true }));

function git(...args: string[]): string {
  return run(args);
}

function run(args: readonly string[], input: Buffer | string = ""): string {
  const { status, stdout, stderr } = spawnSync("git", args, {
    cwd: path,
    input,
    env: { ...environment, ...identity, GIT_AUTHOR_DATE: "@1700000000 +0000", GIT_COMMITTER_DATE: "@1700000000 +0000" },
  });
  if (status !== 0) throw new Error(stderr.toString());
  return stdout.toString().trim();
}

/** What `git log` prints, with the program's own options. */
function byGit(head: string): MinorVersion[] {
  return new HistoryReader().read(new Git(path, environment).output(...historyOptions, head, "--"));
}

/** The walk without git, and whether it reached the end. */
function byFiles(head: string, limit = 10_000): { versions: MinorVersion[]; ended: boolean } {
  const versions: MinorVersion[] = [];
  const steps = walkCommits(join(path, ".git"), head as VersionId, limit);
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return { versions, ended: step.value };
    versions.push(...step.value);
  }
}

/** Writes an object as it is, also one that git would not make. */
function plant(text: Buffer | string, type = "commit"): string {
  const body = Buffer.from(text);
  const object = Buffer.concat([Buffer.from(`${type} ${body.length}\0`), body]);
  const id = createHash("sha1").update(object).digest("hex");
  const folder = join(path, ".git/objects", id.slice(0, 2));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, id.slice(2)), deflateSync(object));
  return id;
}

const emptyTree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
const person = "Ada <ada@example.org> 1700000000 +0000";

/** Messages with long common parts, which git packs as differences. */
const common = "The same long text of all messages, so that a pack has differences.\n".repeat(20);

/** Mostly usual values: a history with an unusual one is left to git from there. */
const mostly = <T>(usual: readonly T[], odd: readonly T[]): fc.Arbitrary<T> =>
  fc.oneof({ arbitrary: fc.constantFrom(...usual), weight: 30 }, { arbitrary: fc.constantFrom(...odd), weight: 1 });

const shapes = fc.record({
  parents: fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 3 }),
  date: mostly([1_700_000_000, 1_700_000_060, 1_600_000_000, 1000], [4_294_967_296, 99_999_999_999]),
  name: mostly(["Ada", "日本 語", "Ada  B", 'a"b', "a\x01b", "x."], [" x", ""]),
  email: mostly(["ada@example.org", ""], ["a b", " a"]),
  extra: mostly(["", "gpgsig -----BEGIN\n \n encoding x\n -----END\n", "odd\n"], ["encoding ISO-8859-1\n"]),
  message: mostly(["one\n", "", "\n\ntwo\n\n\n", "no newline", `${common}A\n`, `${common}B\n\nC\n`], ["a\0b"]),
});
type Shape = typeof shapes extends fc.Arbitrary<infer T> ? T : never;

function plantHistory(list: readonly Shape[]): string[] {
  const ids: string[] = [];
  for (const { parents, date, name, email, extra, message } of list) {
    const lines = parents.flatMap((back) => (ids.at(-1 - back) === undefined ? [] : [`parent ${ids.at(-1 - back)}\n`]));
    const author = `author ${name} <${email}> ${date - 7} -0130\ncommitter ${name} <${email}> ${date} +0000\n`;
    ids.push(plant(Buffer.from(`tree ${emptyTree}\n${lines.join("")}${author}${extra}\n${message}`, "utf8")));
  }
  return ids;
}

describe("commits read from the files of git", () => {
  it("are those that git prints, in its order, loose, packed and as differences", () => {
    plant("", "tree");
    let count = 0;
    fc.assert(
      fc.property(fc.array(shapes, { minLength: 1, maxLength: 12 }), fc.boolean(), (list, isPacked) => {
        const ids = plantHistory(list);
        git("update-ref", "refs/heads/main", ids.at(-1)!);
        if (isPacked) git("repack", "-a", "-d", "-q", "-f", "--depth=50");
        const expected = byGit(ids.at(-1)!);
        const { versions, ended } = byFiles(ids.at(-1)!);
        expect(versions).toEqual(expected.slice(0, versions.length));
        if (ended) expect(versions).toHaveLength(expected.length);
        count += versions.length;
        for (const version of expected)
          expect([version, null]).toContainEqual(readCommit(join(path, ".git"), version.id));
      }),
      { numRuns: 12, seed: 1 },
    );
    expect(count).toBeGreaterThan(30);
  });

  it("are read from chains of differences in a pack", () => {
    plant("", "tree");
    const line = (at: number): string => createHash("sha1").update(`${at}`).digest("base64");
    const lines = Array.from({ length: 40 }, (_, at) => line(at));
    let parent = "";
    for (let at = 0; at < 30; at++) {
      lines[at] = line(100 + at);
      const head = `tree ${emptyTree}\n${parent && `parent ${parent}\n`}author ${person}\ncommitter ${person}\n`;
      parent = plant(`${head}\n${lines.join("\n")}\n`);
    }
    git("update-ref", "refs/heads/main", parent);
    git("repack", "-a", "-d", "-q", "-f", "--depth=20");
    const [pack = ""] = readdirSync(join(path, ".git/objects/pack")).filter((name) => name.endsWith(".idx"));
    expect(git("verify-pack", "-v", join(".git/objects/pack", pack))).toMatch(/chain length = [3-9]/);
    expect(byFiles(parent)).toEqual({ versions: byGit(parent), ended: true });
    expect(byFiles(parent, 7)).toEqual({ versions: byGit(parent).slice(0, 7), ended: false });
  });

  it("are left to git if damaged, of another id, or replaced", () => {
    const [good, other] = ["good", "other"].map((text) =>
      plant(`tree ${emptyTree}\nauthor ${person}\ncommitter ${person}\n\n${text}\n`),
    ) as [VersionId, VersionId];
    const folder = join(path, ".git");
    const file = (id: string): string => join(folder, "objects", id.slice(0, 2), id.slice(2));
    expect(readCommit(folder, good)?.description).toBe("good");
    git("update-ref", `refs/replace/${good}`, other);
    expect(readCommit(folder, good)).toBeNull();
    git("pack-refs", "--all");
    rmSync(join(folder, "refs/replace"), { recursive: true, force: true });
    expect(readCommit(folder, good)).toBeNull();
    rmSync(join(folder, "packed-refs"));
    expect(readCommit(folder, good)?.description).toBe("good");
    rmSync(file(good));
    renameSync(file(other), file(good));
    expect(readCommit(folder, good)).toBeNull();
    expect(readCommit(folder, "0".repeat(40) as VersionId)).toBeNull();
  });

  it("are never wrong for any damaged byte of a pack or its index", () => {
    const id = plant(`tree ${emptyTree}\nauthor ${person}\ncommitter ${person}\n\ngood\n`) as VersionId;
    plant("", "tree");
    git("update-ref", "refs/heads/main", id);
    git("repack", "-a", "-d", "-q");
    const folder = join(path, ".git");
    const right = readCommit(folder, id);
    expect(right?.description).toBe("good");
    for (const name of readdirSync(join(folder, "objects/pack")).filter((each) => /[.](?:pack|idx)$/.test(each))) {
      const file = join(folder, "objects/pack", name);
      const bytes = readFileSync(file);
      rmSync(file);
      for (let at = 0; at < bytes.length; at += 13) {
        writeFileSync(
          file,
          bytes.map((byte, i) => (i === at ? byte ^ 0x41 : byte)),
        );
        expect([right, null]).toContainEqual(readCommit(folder, id));
        writeFileSync(file, bytes.subarray(0, at));
        expect([right, null]).toContainEqual(readCommit(folder, id));
      }
      writeFileSync(file, bytes);
    }
  });
});

describe("the head read from the files of git", () => {
  const head = (): ReturnType<typeof readPlainRepository> => readPlainRepository(path, environment);
  const commit = (): string => git("commit", "--quiet", "--allow-empty", "-m", "x") || git("rev-parse", "HEAD");

  it("is that of git on a branch, packed, detached, with a nested name", () => {
    const id = commit();
    const folder = join(path, ".git");
    expect(head()).toEqual({ root: path, folder, head: id, branch: "main" });
    git("pack-refs", "--all");
    expect(head()).toEqual({ root: path, folder, head: id, branch: "main" });
    git("checkout", "--quiet", "-b", "a/b-1.x");
    expect(head()?.branch).toBe("a/b-1.x");
    git("checkout", "--quiet", "--detach");
    expect(head()).toEqual({ root: path, folder, head: id, branch: null });
  });

  it("is left to git in all other repositories", () => {
    expect(head()).toBeNull();
    commit();
    expect(head()).not.toBeNull();
    const config = join(path, ".git/config");
    const plain = readFileSync(config, "utf8");
    for (const more of [
      "[core]\n\tworktree = ../x\n",
      "[include]\n\tpath = x\n",
      '[includeIf "onbranch:main"]\n\tpath = x\n',
      "[extensions]\n\tpartialClone = origin\n",
      "[core]\n\tbare\n",
      "[core]\n\trepositoryformatversion = 1\n",
      '[remote "origin"]\n\tpromisor = true\n',
    ]) {
      writeFileSync(config, plain + more);
      expect(head(), more).toBeNull();
    }
    writeFileSync(config, plain);
    for (const name of ["shallow", "commondir"]) {
      writeFileSync(join(path, ".git", name), "");
      expect(head(), name).toBeNull();
      rmSync(join(path, ".git", name));
    }
    for (const text of ["ref: refs/heads/gone\n", "ref: refs/heads/../main\n", "ref: refs/tags/x\n", "0123\n"]) {
      writeFileSync(join(path, ".git/HEAD"), text);
      expect(head(), text).toBeNull();
    }
  });

  it("is left to git where variables select the repository", () => {
    commit();
    for (const name of ["GIT_DIR", "GIT_WORK_TREE", "GIT_CONFIG_COUNT", "GIT_CONFIG_PARAMETERS", "SUDO_UID"])
      expect(readPlainRepository(path, { ...environment, [name]: "x" }), name).toBeNull();
  });

  it("needs no git for head, commit and a short history, and continues with git after 250 commits", async () => {
    const stream = Array.from(
      { length: 260 },
      (_, at) => `commit refs/heads/main\ncommitter A <a@b> ${at + 1} +0000\ndata 1\nx\n`,
    );
    run(["fast-import", "--quiet"], stream.join(""));
    const all = byGit("main").map(({ id }) => id);
    const ids = async (vcs: Awaited<ReturnType<typeof plugin.open>>, limit?: number): Promise<VersionId[]> => {
      const found: VersionId[] = [];
      for await (const batch of vcs.walkBatches(await vcs.head(), limit)) found.push(...batch.map(({ id }) => id));
      return found;
    };
    const vcs = await plugin.open(path, environment);
    expect(await ids(vcs)).toEqual(all);
    expect(await ids(vcs, 255)).toEqual(all.slice(0, 255));
    const withoutGit = await plugin.open(path, { PATH: "/nonexistent" });
    expect(await ids(withoutGit, 250)).toEqual(all.slice(0, 250));
    await expect(ids(withoutGit, 251)).rejects.toMatchObject({ code: "vcs-missing" });
    expect((await withoutGit.info(all[9]!)).id).toBe(all[9]);
  });

  it("leaves a whole walk to git at once if the packs have many objects", async () => {
    const files = (at: number): string[] =>
      Array.from({ length: 120 }, (_, file) => `M 644 inline f${file}\ndata <<.\n${at} ${file}\n.\n`);
    const stream = Array.from({ length: 40 }, (_, at) =>
      [`commit refs/heads/main\ncommitter A <a@b> ${at + 1} +0000\ndata 1\nx\n`, ...files(at)].join(""),
    );
    run(["fast-import", "--quiet"], stream.join(""));
    const walked = async (isWhole: boolean, variables = environment): Promise<readonly MinorVersion[]> => {
      const vcs = await plugin.open(path, variables);
      const found: MinorVersion[] = [];
      for await (const batch of vcs.walkBatches(await vcs.head(), undefined, isWhole)) found.push(...batch);
      return found;
    };
    const withoutGit = { ...environment, PATH: "/nonexistent" };
    expect(await walked(false, withoutGit)).toEqual(byGit("main"));
    await expect(walked(true, withoutGit)).rejects.toMatchObject({ code: "vcs-missing" });
    expect(await walked(true)).toEqual(byGit("main"));
  });
});

import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createHash } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { vcsContract, type ScriptedRepository } from "../../../test/contracts/vcs.ts";
import type { VersionId } from "../../core/versions/digest.ts";
import { TagitObjects } from "./tagit-objects.ts";
import { encodeTree } from "./tagit-tree.ts";
import { tagit } from "./tagit.ts";
import { TagitVersions } from "./tagit-versions.ts";
import type { Recorder, SnapshotFacts, Vcs } from "./vcs.ts";

const templates = realpathSync(mkdtempSync(join(tmpdir(), "tagit-test-")));
afterAll(() => rmSync(templates, { recursive: true, force: true }));

const date = 1_700_000_000;
const author = "Zoë \x1f Ünal";
const who = { author, email: "zoe@example.com", message: "", date };

async function recorderOf(path: string): Promise<Recorder> {
  const { recorder } = await tagit.open(path, {});
  if (!recorder) throw new Error("no recorder");
  return recorder;
}

/** Creates the history of the contract suite. */
async function script(path: string): Promise<ScriptedRepository["ids"]> {
  await tagit.init(path, {}, [], {});
  const recorder = await recorderOf(path);
  const write = (name: string, text: string): void => writeFileSync(join(path, name), text);
  const snapshot = async (message: string, minute: number, facts: Partial<SnapshotFacts> = {}): Promise<VersionId> =>
    (await recorder.snapshot({ ...who, message, date: date + minute * 60, ...facts })).version;
  write("f", "root\n");
  write(".tagitignore", "*.o\n");
  const root = await snapshot("Root", 0);
  write("f", "left\n");
  const left = await snapshot("Left", 1);
  write("f", "root\n");
  write("g", "right\n");
  const right = await snapshot("Right", 2, { branch: "side", from: root });
  write("f", "left\n");
  const merge = await snapshot("Merge side", 3, { branch: "main", merged: [right] });
  await recorder.tag("v1.0", merge);
  write("f", "tip\n");
  const tip = await snapshot("Tip, 日本語 and \x1f\n\nwith a body", 4);
  return { root, left, right, merge, tip };
}

const template = join(templates, "template");
const ids = await script(template);

function scripted(): ScriptedRepository {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "tagit-test-")));
  cpSync(template, path, { recursive: true, preserveTimestamps: true });
  return {
    plugin: tagit,
    environment: {},
    path,
    ids,
    date,
    author,
    email: "zoe@example.com",
    ownFiles: { metadata: ".tagit", ignore: ".tagitignore" },
    stage: null,
    stash: null,
    plantTraps: (canary) => plantTraps(path, canary),
    fingerprint: () => fingerprint(path),
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}

/** Hash of all files with their bytes and modes. */
function fingerprint(path: string): string {
  const hash = createHash("sha1");
  for (const name of readdirSync(path, { recursive: true, encoding: "utf8" }).sort()) {
    const facts = statSync(join(path, name));
    hash.update(`${name} ${facts.mode}\0`);
    if (facts.isFile()) hash.update(readFileSync(join(path, name)));
  }
  return hash.digest("hex");
}

/** tagit reads no configuration; other systems do at these paths. */
function plantTraps(path: string, canary: string): void {
  mkdirSync(join(path, ".tagit/hooks"));
  for (const name of ["config", "hooks/post-checkout", "hgrc"]) {
    writeFileSync(join(path, ".tagit", name), `#!/bin/sh\ntouch '${canary}'\n`);
    chmodSync(join(path, ".tagit", name), 0o755);
  }
}

vcsContract("tagit", scripted);

describe("tagit", () => {
  let repository: ScriptedRepository;
  let vcs: Vcs;
  let recorder: Recorder;
  let scratch: string;
  const write = (name: string | Buffer, text: string): void =>
    writeFileSync(Buffer.concat([Buffer.from(`${repository.path}/`), Buffer.from(name)]), text);
  const snapshot = async (facts: Partial<SnapshotFacts> = {}): Promise<VersionId> =>
    (await recorder.snapshot({ ...who, ...facts })).version;
  beforeEach(async () => {
    repository = scripted();
    vcs = await tagit.open(repository.path, {});
    recorder = await recorderOf(repository.path);
    scratch = realpathSync(mkdtempSync(join(tmpdir(), "tagit-test-")));
  });
  afterEach(() => {
    repository.remove();
    rmSync(scratch, { recursive: true, force: true });
  });

  it("stores and restores any name, any bytes, links and executable bits", async () => {
    const odd = Buffer.from([0x61, 0xff, 0x0a, 0x22]);
    write(odd, "odd\n");
    mkdirSync(join(repository.path, "d/e"), { recursive: true });
    writeFileSync(join(repository.path, "d/e/big"), Buffer.alloc(3_000_000, 7));
    writeFileSync(join(repository.path, "run"), "#!/bin/sh\n");
    chmodSync(join(repository.path, "run"), 0o755);
    symlinkSync("/nowhere/at all", join(repository.path, "link"));
    const version = await snapshot();
    await recorder.copyOut(version, join(scratch, "copy"));
    const seen = readdirSync(join(scratch, "copy"), "buffer").map((name) => name.toString("latin1"));
    expect(seen.sort()).toEqual([".tagitignore", odd.toString("latin1"), "d", "f", "g", "link", "run"]);
    expect(readFileSync(join(scratch, "copy/d/e/big")).equals(Buffer.alloc(3_000_000, 7))).toBe(true);
    expect([statSync(join(scratch, "copy/run")).mode & 0o111, statSync(join(scratch, "copy/f")).mode & 0o111]).toEqual([
      0o111, 0,
    ]);
    chmodSync(join(repository.path, "run"), 0o644);
    expect(await (await tagit.open(repository.path, {})).isDirty()).toBe(true);
    await expect(recorder.copyOut(version, join(scratch, "copy"))).rejects.toMatchObject({ code: "worktree-failed" });
  });

  it("records no version for an unchanged tree", async () => {
    expect(await recorder.snapshot(who)).toEqual({ version: repository.ids.tip, isNew: false });
    write("new", "x");
    expect(await recorder.snapshot(who)).toMatchObject({ isNew: true });
  });

  it("omits ignored files and the metadata of other systems", async () => {
    mkdirSync(join(repository.path, ".git"));
    mkdirSync(join(repository.path, ".perun"));
    for (const name of [".git/x", ".perun/x", "x.o"]) write(name, "x");
    expect(await recorder.snapshot(who)).toMatchObject({ isNew: false });
    for (const [pattern, name, isKept] of [
      ["build/\n", "build/x", false],
      ["/x\n", "d/x", true],
      ["d/**/x\n", "d/a/b/x", false],
      ["*.t?t\n!a.txt\n", "a.txt", true],
      [`${"*a".repeat(60)}\n`, `${"a".repeat(150)}b`, true],
    ] as const) {
      writeFileSync(join(repository.path, ".tagitignore"), pattern);
      await snapshot();
      mkdirSync(join(repository.path, name, ".."), { recursive: true });
      write(name, "x");
      expect([name, (await recorder.snapshot(who)).isNew]).toEqual([name, isKept]);
    }
  });

  it("loses no version when two are recorded concurrently", async () => {
    const others = await Promise.all([recorderOf(repository.path), recorderOf(repository.path)]);
    const before = repository.ids.tip;
    write("f", "at once\n");
    const [one, two] = await Promise.all(
      others.map((each, index) => each.snapshot({ ...who, message: `n${index}`, merged: [repository.ids.root] })),
    );
    const now = await tagit.open(repository.path, {});
    const seen = [];
    for await (const { id } of now.walk(await now.head())) seen.push(id);
    expect(seen).toEqual(expect.arrayContaining([one?.version, two?.version, before]));
  });

  it("refuses ambiguous names, and a tag of another version", async () => {
    for (const name of ["", "HEAD", "-x", "a b", "a~1", "a\n", "../x", "deadbeef", "x".repeat(201), "a..", "\x1b[2J"]) {
      await expect(recorder.tag(name, repository.ids.tip)).rejects.toMatchObject({ code: "bad-version-name" });
      await expect(snapshot({ branch: name })).rejects.toMatchObject({ code: "bad-version-name" });
    }
    await recorder.tag("v1.0", repository.ids.merge);
    await expect(recorder.tag("v1.0", repository.ids.tip)).rejects.toMatchObject({ code: "bad-version-name" });
    await recorder.tag("__proto__", repository.ids.left);
    expect(await (await tagit.open(repository.path, {})).resolve("__proto__")).toBe(repository.ids.left);
  });

  it("writes only below its root, for any tree", async () => {
    const objects = new TagitObjects(join(repository.path, ".tagit/objects"));
    const blob = objects.write("blob", Buffer.from(scratch));
    const file = (path: string) => ({ path, kind: "file", blob }) as const;
    const trees = [
      [file("../x")],
      [file("/x")],
      [file("a//b")],
      [file(".tagit/x")],
      [{ ...file("a"), kind: "link" } as const, file("a/x")],
    ];
    for (const entries of trees) {
      const tree = objects.write("tree", encodeTree(entries)) as VersionId;
      const id = new TagitVersions(objects).put({ tree, parents: [], author: "", email: "", date: 0, description: "" });
      await expect(vcs.addWorktree(join(scratch, "tree"), id)).rejects.toMatchObject({ code: "worktree-failed" });
      expect(readdirSync(scratch)).toEqual([]);
    }
  });

  it("does not follow a link that replaced a folder", async () => {
    mkdirSync(join(repository.path, "d"));
    write("d/x", "kept\n");
    const version = await snapshot();
    const outside = join(scratch, "outside");
    mkdirSync(outside);
    writeFileSync(join(outside, "mine"), "mine");
    const tree = await (await tagit.open(repository.path, {})).addWorktree(join(scratch, "tree"), version);
    rmSync(join(tree.path, "d"), { recursive: true });
    symlinkSync(outside, join(tree.path, "d"));
    await tree.checkout(version, "all");
    expect([readFileSync(join(tree.path, "d/x"), "utf8"), readdirSync(outside)]).toEqual(["kept\n", ["mine"]]);
  });

  it("reports damaged objects", async () => {
    const folder = join(repository.path, ".tagit/objects");
    const path = join(folder, repository.ids.left.slice(0, 2), repository.ids.left.slice(2));
    const bytes = readFileSync(path);
    for (const damage of [
      bytes.subarray(0, -3),
      Buffer.concat([bytes.subarray(0, 9), Buffer.from([1]), bytes.subarray(10)]),
      Buffer.from("v\xff"),
    ]) {
      chmodSync(path, 0o644);
      writeFileSync(path, damage);
      const now = await tagit.open(repository.path, {});
      await expect(now.info(repository.ids.left)).rejects.toMatchObject({
        code: "vcs-failed",
        message: expect.stringContaining("object"),
      });
    }
  });

  it("ignores incomplete files left by a kill", async () => {
    writeFileSync(join(repository.path, ".tagit/states/new-0123"), '{"branch":');
    mkdirSync(join(repository.path, ".tagit/objects/new"), { recursive: true });
    writeFileSync(join(repository.path, ".tagit/objects/new/half"), "bhalf");
    const now = await tagit.open(repository.path, {});
    expect(await now.head()).toBe(repository.ids.tip);
    write("f", "after\n");
    expect(await recorder.snapshot(who)).toMatchObject({ isNew: true });
  });

  it("prints the difference of a version and the current folder", async () => {
    write("f", "other\n");
    write("h", "new");
    const text = await recorder.diffTree(repository.ids.tip);
    expect(text).toContain("--- a/f\n+++ b/f\n@@ -1,1 +1,1 @@\n-tip\n+other\n");
    expect(text).toContain(
      "new file mode 100644\n--- /dev/null\n+++ b/h\n@@ -0,0 +1,1 @@\n+new\n\\ No newline at end of file\n",
    );
  });
});

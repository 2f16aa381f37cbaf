import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test, vi } from "vitest";
import { sampleProfile, SharingInstance, sharedVersions } from "../../../test/fakes/sharing-instance.ts";
import { encodeObject } from "../../formats/store/object.ts";

/** A small limit: hostile-remotes.test.ts covers the real one, which takes seconds to write, send and hash. */
vi.mock(import("./parts/set-part.ts"), async (load) => {
  const { SetPart } = await load();
  return {
    SetPart: class extends SetPart {
      override readonly cap = 10_000;
    },
  };
});

const scratch = mkdtempSync(join(tmpdir(), "perfkeep-repair-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const [v1, v2] = sharedVersions as [(typeof sharedVersions)[0], (typeof sharedVersions)[0]];
const ref = "refs/perfkeep/data/v1";
let count = 0;
let folder: string;
let remote: string;
let [ada, bob]: SharingInstance[] = [];

/** Ada has pushed two profiles of one version and one of another. */
beforeEach(async () => {
  folder = join(scratch, String(count++));
  remote = join(folder, "remote.git");
  mkdirSync(folder);
  git("", "init", "--quiet", "--bare", remote);
  [ada, bob] = [await instance("ada"), await instance("bob")];
  ada.add(v1, "x.perf", 1);
  ada.add(v1, "y.perf", 2);
  ada.add(v2, "z.perf", 3);
  await ada.push();
});

function instance(name: string): Promise<SharingInstance> {
  return new SharingInstance(join(folder, name), remote).begin();
}

function git(input: string | Uint8Array, ...args: string[]): string {
  const at = args[0] === "init" ? folder : remote;
  const { status, stdout, stderr } = spawnSync("git", args, {
    cwd: at,
    input,
    encoding: "utf8",
    env: { PATH: process.env["PATH"], HOME: scratch },
  });
  if (status !== 0) throw new Error(stderr);
  return stdout.trim();
}

const text = (value: string): Uint8Array => new TextEncoder().encode(value);
const path = (id: string): string => `${id.slice(0, 2)}/${id.slice(2)}`;
const objectOf = (amount: number): string => `objects/${path(sampleProfile(amount).digest)}`;

/** Commits files with push permission; returns the abbreviated id. */
function plant(files: Readonly<Record<string, Uint8Array>>, mode = "100644"): string {
  const pieces = [text(`commit ${ref}\ncommitter x <x> 1700000000 +0000\ndata 0\nfrom ${ref}^0\n`)];
  for (const [name, bytes] of Object.entries(files))
    pieces.push(text(`M ${mode} inline ${name}\ndata ${bytes.length}\n`), bytes, text("\n"));
  git(Buffer.concat(pieces), "fast-import", "--quiet", "--force");
  return git("", "rev-parse", "--short=7", ref);
}

const all = (one: SharingInstance): unknown => one.snapshot({ objects: true });

test("reports a wrong object with its commit, pulls the rest, and resets it", async () => {
  const commit = plant({ [objectOf(1)]: text("profile time 2\0{}") });
  await expect(bob!.pull()).rejects.toThrow(
    new RegExp(`${objectOf(1)}: its digest is .*; introduced by commit ${commit}.* of 2023-11-14`),
  );
  const { damaged } = await bob!.pull({}, false, true);
  expect(damaged).toEqual([
    {
      path: objectOf(1),
      reason: expect.stringContaining("its digest is"),
      commit: expect.stringMatching(/^[0-9a-f]+ of 2023-11-14$/),
    },
  ]);
  expect(bob!.names(v1)).toEqual(["y.perf"]);
  // Skipped data is neither treated as removed nor sent on.
  bob!.add(v1, "w.perf", 4);
  await bob!.push();
  await ada!.pull();
  expect(ada!.names(v1)).toEqual(["w.perf", "x.perf", "y.perf"]);
  const { notes } = await bob!.push({}, true);
  expect(notes).toEqual([expect.stringMatching(/^reset: "objects\/.*its digest is/)]);
  expect((await bob!.pull()).damaged).toEqual([]);
  expect(all(bob!)).toEqual(all(ada!));
});

test("removes an entry that was never valid, which is then pushed again", async () => {
  const noProfile = encodeObject("profile", "time", text("not json"));
  git("", "update-ref", "-d", ref);
  git(`commit ${ref}\ncommitter x <x> 0 +0000\ndata 0\n`, "fast-import", "--quiet");
  plant({ [objectOf(2)]: text("wrong"), [`objects/${path(noProfile.digest)}`]: noProfile.plain });
  const { notes, sent } = await ada!.push({}, true);
  expect(notes.toSorted()).toEqual([expect.stringMatching(/^removed: /), expect.stringMatching(/^removed: /)]);
  expect(sent.map(({ kind: part, count: number }) => [part, number])).toEqual([
    ["sets", 2],
    ["objects", 3],
  ]);
  await bob!.pull();
  expect(all(bob!)).toEqual(all(ada!));
  expect((await bob!.push({}, true)).notes).toEqual([]);
});

test("resets damaged sets, and keeps concurrent pushes", async () => {
  await bob!.pull();
  plant({ [`sets/${path(v1)}`]: text("no set\n"), [`changes/${path(v1)}`]: Uint8Array.of(0xff) });
  const dave = await instance("dave");
  dave.add(v2, "later.perf", 5);
  await dave.push();
  const carol = await instance("carol");
  await expect(carol.pull()).rejects.toThrow(/sets\/a1|changes\/a1/);
  expect((await carol.pull({}, false, true)).damaged).toHaveLength(2);
  expect([carol.names(v1), carol.names(v2)]).toEqual([[], ["later.perf", "z.perf"]]);
  // A push to a damaged set reports how to repair it.
  carol.add(v1, "c.perf", 6);
  await expect(carol.push()).rejects.toMatchObject({
    code: "share-refused",
    remedy: expect.stringContaining("push --repair"),
  });
  expect((await carol.push({}, true)).notes).toHaveLength(2);
  for (const one of [ada!, bob!, carol]) await one.pull();
  expect(carol.names(v1)).toEqual(["c.perf", "x.perf", "y.perf"]);
  for (const one of [bob!, carol]) expect(all(one)).toEqual(all(ada!));
});

test("removes invalid paths, links and large files", async () => {
  const file = { [objectOf(1)]: text("/etc/passwd") };
  plant(file, "120000");
  plant({
    README: text("x"),
    '"Odd/\\303\\274 \\"\\n\\\\/x"': text("x"),
    [`${objectOf(9)}/deeper`]: text("x"),
    [`sets/${path(v2)}`]: new Uint8Array(10_001),
  });
  const { damaged } = await bob!.pull({}, false, true);
  expect(damaged.map(({ reason }) => reason.replace(/\d+/g, "N")).toSorted()).toEqual([
    "invalid path",
    "invalid path",
    "invalid path",
    "it has N bytes, more than the limit of N",
    "it is not a regular file",
  ]);
  expect(bob!.names(v1)).toEqual(["y.perf"]);
  expect((await ada!.push({}, true)).notes.map((note) => note.slice(0, note.indexOf(":"))).toSorted()).toEqual([
    "removed",
    "removed",
    "removed",
    "reset",
    "reset",
  ]);
  expect(git("", "ls-tree", "-r", "--name-only", ref).split("\n")).toHaveLength(5);
  expect((await bob!.pull()).damaged).toEqual([]);
  expect(all(bob!)).toEqual(all(ada!));
});

test("resets an unreadable remote; the next pushes restore the rest", async () => {
  await bob!.pull();
  bob!.add(v2, "later.perf", 5);
  await bob!.push();
  const whole = git("", "rev-parse", ref);
  const blob = git("x", "hash-object", "-w", "--stdin");
  const tree = (name: string, id: string): string =>
    git(
      Buffer.concat([Buffer.from(`40000 ${name}\0`), Buffer.from(id, "hex")]),
      "hash-object",
      "-w",
      "-t",
      "tree",
      "--literally",
      "--stdin",
    );
  const inner = git(`100644 blob ${blob}\tx\n`, "mktree");
  const odd = git(
    `tree ${tree("objects", tree("..", inner))}\nparent ${whole}\nauthor x <x> 0 +0000\ncommitter x <x> 0 +0000\n\n`,
    "hash-object",
    "-w",
    "-t",
    "commit",
    "--stdin",
  );
  for (const planted of [blob, odd]) {
    git("", "update-ref", ref, planted);
    await expect(bob!.pull()).rejects.toThrow();
    await expect(bob!.pull({}, false, true)).rejects.toThrow();
    expect((await ada!.push({}, true)).notes).toEqual([expect.stringContaining("reset completely")]);
    for (const one of [bob!, ada!]) await one.push();
    for (const one of [bob!, ada!]) await one.pull();
    expect(ada!.names(v2)).toEqual(["later.perf", "z.perf"]);
    expect(all(bob!)).toEqual(all(ada!));
  }
});

import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sampleProfile, SharingInstance, sharedVersions } from "../../../test/fakes/sharing-instance.ts";
import type { Failure } from "../../core/failures/failure.ts";
import { encodeObject } from "../../formats/store/object.ts";
import { readBlobs } from "./git/blob-reader.ts";
import { GitProgram } from "./git/git-program.ts";
import { readTree } from "./git/tree-listing.ts";

const scratch = mkdtempSync(join(tmpdir(), "perfkeep-hostile-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const [v1 = "", v2 = ""] = sharedVersions;
const remote = join(scratch, "remote.git");
const canary = join(scratch, "canary");
const ref = "refs/perfkeep/data/v1";
const bob = new SharingInstance(join(scratch, "bob"), remote);
let before: Readonly<Record<string, string>>;

function git(input: string | Uint8Array, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync("git", args, {
    cwd: remote,
    input,
    encoding: "utf8",
    env: { PATH: process.env["PATH"], HOME: scratch },
  });
  if (status !== 0) throw new Error(stderr);
  return stdout.trim();
}

beforeAll(async () => {
  mkdirSync(remote);
  git("", "init", "--quiet", "--bare", ".");
  await bob.begin();
  bob.add(sharedVersions[0]!, "mine.perf", 1);
  before = bob.everything();
});

const path = (id: string): string => `${id.slice(0, 2)}/${id.slice(2)}`;
const text = (content: string): Uint8Array => new TextEncoder().encode(content);
const { plain, digest } = sampleProfile(7);
const id = "0".repeat(16);
const registered = (name: string, object: string = digest): Uint8Array =>
  text(`+ ${id} ${object} 0000001000 time ${name}\n`);
const set = `sets/${path(v2)}`;
const object = `objects/${path(digest)}`;

interface Planted {
  readonly path: string;
  readonly content: Uint8Array;
  readonly mode?: string;
}

/** Makes these files all that the remote shares. */
function plant(files: readonly Planted[]): void {
  const pieces = [text(`commit ${ref}\ncommitter x <x> 0 +0000\ndata 0\n`)];
  for (const { path: name, content, mode = "100644" } of files)
    pieces.push(text(`M ${mode} inline ${name}\ndata ${content.length}\n`), content, text("\n"));
  git("", "update-ref", "-d", ref);
  git(Buffer.concat(pieces), "fast-import", "--quiet", "--force");
}

/** A tree of git with these entries, right or not. */
function tree(entries: readonly (readonly [mode: string, name: string, id: string])[]): string {
  const bytes = entries.flatMap(([mode, name, blob]) => [Buffer.from(`${mode} ${name}\0`), Buffer.from(blob, "hex")]);
  return git(Buffer.concat(bytes), "hash-object", "-w", "-t", "tree", "--literally", "--stdin");
}

function plantTree(root: string): void {
  const commit = git(
    `tree ${root}\nauthor x <x> 0 +0000\ncommitter x <x> 0 +0000\n\n`,
    "hash-object",
    "-w",
    "-t",
    "commit",
    "--stdin",
  );
  git("", "update-ref", ref, commit);
}

async function refusal(): Promise<Failure> {
  const failure = await bob.pull().then(
    () => null,
    (error: Failure) => error,
  );
  expect(failure, "it was not refused").not.toBeNull();
  expect(failure!.message).not.toContain("\n");
  expect(bob.everything()).toEqual(before);
  return failure!;
}

const good: Planted = { path: object, content: plain };
const attachment = encodeObject("attachment", "raw", text("x"));
const noProfile = encodeObject("profile", "time", text("not json"));
const wrongLength = text("profile time 99\0{}");

test("what is good is taken", async () => {
  plant([{ path: set, content: registered("x.perf") }, good]);
  expect((await bob.pull({}, true)).summary.counts).toEqual({ "profiles added": 1, "profiles received": 1 });
  expect(bob.everything()).toEqual(before);
});

test.each<readonly [string, readonly Planted[], string]>([
  [
    "an object with other content",
    [
      { path: set, content: registered("x.perf") },
      { path: object, content: sampleProfile(8).plain },
    ],
    "its content has the digest",
  ],
  [
    "an object that is an attachment",
    [
      { path: set, content: registered("x.perf", attachment.digest) },
      { path: `objects/${path(attachment.digest)}`, content: attachment.plain },
    ],
    "it is not a profile",
  ],
  [
    "an object that holds no profile",
    [
      { path: set, content: registered("x.perf", noProfile.digest) },
      { path: `objects/${path(noProfile.digest)}`, content: noProfile.plain },
    ],
    "JSON",
  ],
  [
    "an object without header",
    [
      { path: set, content: registered("x.perf") },
      { path: object, content: wrongLength },
    ],
    "its content has the digest",
  ],
  ["a name that is a path", [{ path: set, content: registered("../../x.perf") }, good], "it holds a slash"],
  [
    "a name with an escape",
    [{ path: set, content: registered("x\u001b[2J.perf") }, good],
    "it holds a control character",
  ],
  ["a name like an option", [{ path: set, content: registered("-rf") }, good], "it begins like an option"],
  [
    "a digest that is a path",
    [{ path: set, content: text(`+ ${id} ../../../../../../etc/passwd 0000001000 time x\n`) }, good],
    "it is no registration",
  ],
  ["a set that is none", [{ path: set, content: Uint8Array.of(0xff, 0xfe, 0) }], "it is not UTF-8"],
  [
    "an addition that stands and has ended",
    [{ path: set, content: text(`+ ${id} x\n- ${id}\n`) }],
    "it is no registration|stands",
  ],
  ["a set of a path that is no version", [{ path: "sets/zz/00", content: registered("x.perf") }], "invalid path"],
  ["capitals", [{ path: `objects/${path(digest).toUpperCase()}`, content: plain }], "invalid path"],
  ["a file beside the parts", [{ path: "README", content: text("x") }], "invalid path"],
  ["deeper folders", [{ path: `${object}/x`, content: text("x") }], "invalid path"],
  ["odd folders", [{ path: '"a\\nb/c"', content: text("x") }], "invalid path"],
  ["a link", [{ path: object, content: text("/etc/passwd"), mode: "120000" }], "it is not a regular file"],
  ["a program", [{ ...good, mode: "100755" }], "it is not a regular file"],
  [
    "a change with an escape",
    [{ path: `changes/${path(v1)}`, content: text(`+ ${id} a\u001b]0;x\u0007\n`) }],
    "control characters",
  ],
])("%s is refused in one line, and nothing changes", async (_name, files, reason) => {
  plant(files);
  expect((await refusal()).message).toMatch(new RegExp(reason));
});

test("a set that unpacks to more than is read is refused before it is read", async () => {
  plant([{ path: set, content: new Uint8Array(65 << 20) }]);
  expect((await refusal()).message).toMatch(/it has 68157440 bytes, more than the limit of 67108864/);
});

test("trees with names that lead out of them, trees within trees, and what is no commit are refused", async () => {
  const blob = git("x", "hash-object", "-w", "--stdin");
  for (const name of ["..", ".", ".git", ".GIT", "a/b"]) {
    plantTree(tree([["40000", "objects", tree([["40000", name, tree([["100644", "x", blob]])]])]]));
    expect((await refusal()).message).toMatch(/remote\.git/);
  }
  let many = tree([["100644", "x", blob]]);
  for (let depth = 0; depth < 12; depth++)
    many = tree(["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"].map((name) => ["40000", name, many]));
  plantTree(many);
  expect((await refusal()).message).toMatch(/invalid path/);
  git("", "update-ref", ref, blob);
  expect((await refusal()).message).toMatch(/its ref names a blob instead of a commit/);
  await expect(bob.push()).rejects.toThrow(/its ref names a blob/);
});

test("files and bytes are counted", async () => {
  plant([{ path: set, content: registered("x.perf") }, good]);
  const program = new GitProgram(remote, { PATH: process.env["PATH"] });
  const listed = (limit: number): Promise<unknown> => readTree(program, ref, () => true, { limit });
  await expect(listed(2)).resolves.toBeTruthy();
  await expect(listed(1)).rejects.toThrow("it has more than 1 files");
  const blob = git("12345", "hash-object", "-w", "--stdin");
  const read = async (cap: number, name = blob): Promise<unknown> => {
    for await (const { bytes: content } of readBlobs(program, [{ path: "x", blob: name }], { cap }))
      return new TextDecoder().decode(content);
    return null;
  };
  expect(await read(5)).toBe("12345");
  await expect(read(4)).rejects.toThrow("it has 5 bytes, more than the limit of 4");
  await expect(read(4, "0".repeat(40))).rejects.toThrow("its blob is missing");
});

test.each([
  "ext::touch {canary}",
  "fd::17",
  "-c core.sshCommand=x",
  "--upload-pack=touch {canary}",
  "gopher://x/y",
  "foo://x",
  "",
  "\u0000/x",
  "transport::address",
  "a\nb:c",
])("no address: %j", async (word) => {
  const stranger = new SharingInstance(join(scratch, "stranger"), word.replace("{canary}", canary));
  await stranger.begin();
  await expect(stranger.pull()).rejects.toThrow(/is not a remote/);
  await expect(stranger.push()).rejects.toThrow(/is not a remote/);
  expect(existsSync(canary)).toBe(false);
});

test("a repository that was brought along runs nothing", async () => {
  const eve = await new SharingInstance(join(scratch, "eve"), remote).begin();
  const own = join(eve.perun, "share/git");
  const elsewhere = join(scratch, "elsewhere");
  for (const folder of [own, elsewhere]) mkdirSync(join(folder, "hooks"), { recursive: true });
  const program = join(scratch, "program");
  writeFileSync(program, `#!/bin/sh\ntouch ${canary}\nexit 1\n`);
  chmodSync(program, 0o755);
  const names = [
    "core.fsmonitor",
    "core.sshCommand",
    "core.alternateRefsCommand",
    "uploadpack.packObjectsHook",
    "credential.helper",
  ];
  const configuration = names.map((name) => `[${name.split(".")[0]}]\n${name.split(".")[1]} = ${program}\n`).join("");
  for (const folder of [own, elsewhere])
    writeFileSync(
      join(folder, "config"),
      `${configuration}[url "ext::${program} "]\ninsteadOf = /\n[include]\npath = ${elsewhere}/config\n`,
    );
  for (const hook of ["pre-push", "post-update", "reference-transaction", "pre-auto-gc"])
    writeFileSync(join(own, "hooks", hook), `#!/bin/sh\ntouch ${canary}\n`, { mode: 0o755 });
  writeFileSync(join(own, "commondir"), `${elsewhere}\n`);
  plant([{ path: set, content: registered("x.perf") }, good]);
  await eve.pull();
  expect(eve.names(sharedVersions[1]!)).toEqual(["x.perf"]);
  eve.add(sharedVersions[0]!, "y.perf", 9);
  await eve.push();
  expect(existsSync(canary)).toBe(false);
});
